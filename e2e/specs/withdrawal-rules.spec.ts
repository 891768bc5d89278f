/** Withdrawals that a rule holds for a person or for a time, and that the user cancels, on a phone. */
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { withdrawCalls } from '../fixtures/sandbox-records.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { reloadFrame, shownWithdrawal } from '../views/scrolled-host.ts'

const WAIT_S = 20

test.use({
  viewport: { width: 390, height: 844 },
  stackOptions: {
    cashier: {
      WITHDRAWAL_RULES: JSON.stringify({
        'USDT@Tron': { review_above: '50', review_new_address: true },
        TRX: { wait_for_new_address_s: WAIT_S },
      }),
    },
  },
})
// One stack for all tests, because starting a stack costs more than these tests.
test.describe.configure({ mode: 'default' })

const decide = (stack: Stack, id: string, decision: object): Promise<Response> =>
  stack.cashier.api.call('POST', `/withdrawals/${id}/authorization`, decision)

const waiting = ({ root }: Cashier) => root.getByTestId('waiting')
const button = ({ root }: Cashier, name: string) => root.getByRole('button', { name, exact: true })

test('a review: why, no limit, approved by the merchant, sent', async ({ page, stack, user, openWithdrawForm }) => {
  const cashier = await openWithdrawForm('100')
  await cashier.withdraw.all('60', TRON_ADDRESS, { confirm: true })
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'pending_authorization')
  await expect(cashier.withdraw.outcome()).toContainText(/Waiting for a check.*Nothing has been sent yet\. Your 60/s)
  await expect(waiting(cashier).getByRole('listitem')).toHaveText([
    'Larger amounts are checked.',
    'You have not sent to this address from here before.',
  ])
  // The time of the request may contain 50.
  expect(await cashier.withdraw.outcome().textContent()).not.toMatch(/(?<![\d:.])50(?![\d:])/)
  await expect(cashier.reserved).toContainText('60')
  expect(await withdrawCalls(stack, user)).toBe(0)

  await reloadFrame(page)
  await expect(waiting(cashier)).toBeVisible()
  const id = shownWithdrawal(page)
  const told: unknown = await (await stack.cashier.api.call('GET', `/withdrawals/${id}`)).json()
  expect(told).toMatchObject({ review: ['review_above', 'review_new_address'], awaits_decision: true })
  await expect(cashier.connection).toContainText('Live')
  expect((await decide(stack, id, { decision: 'approve' })).status).toBe(200)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'processing')
  await expect(waiting(cashier)).toHaveCount(0)
  expect(await withdrawCalls(stack, user)).toBe(1)
})

test('cancelled by keyboard after a question; the money is back, and a later approval is refused', async ({
  page,
  embedded,
  stack,
  user,
  openWithdrawForm,
  consoleFaults,
}) => {
  const cashier = await openWithdrawForm('100')
  await cashier.withdraw.all('30', TRON_ADDRESS, { confirm: true })
  await expect(waiting(cashier)).toBeVisible()
  const id = shownWithdrawal(page)

  await button(cashier, 'Cancel withdrawal').focus()
  await page.keyboard.press('Enter')
  const question = embedded.getByRole('group', { name: 'Cancel withdrawal' })
  await expect(question).toContainText('Nothing is sent and your 30')
  await expect(button(cashier, 'Keep it')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(cashier, 'Cancel withdrawal')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(button(cashier, 'Cancel it')).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'failed')
  await expect(cashier.withdraw.outcome()).toContainText(/Cancelled.*are available again\. ?You cancelled it\./s)
  await expect(cashier.withdraw.outcome().getByRole('heading')).toBeFocused()
  await expect(embedded.getByTestId('announcements')).toContainText('Withdrawal of 30 USDT: Cancelled')
  await expect(cashier.balance).toContainText('100')
  const late = await decide(stack, id, { decision: 'approve' })
  expect([late.status, await late.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'conflict', withdrawal_status: 'failed' }),
  ])
  expect(await withdrawCalls(stack, user)).toBe(0)
  consoleFaults.length = 0
})

test('in the history: waiting for a check, and cancelled from its details', async ({
  page,
  embedded,
  stack,
  user,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('100')
  await cashier.withdraw.all('30', TRON_ADDRESS, { confirm: true })
  await expect(waiting(cashier)).toBeVisible()
  await cashier.goTo('history')
  await expect(cashier.history.rows().first()).toContainText('Waiting for a check')
  await cashier.history.rows().first().click()
  const details = cashier.history.details()
  await expect(details.getByTestId('waiting')).toContainText('You have not sent to this address from here before.')
  await details.getByRole('button', { name: 'Cancel withdrawal' }).click()
  await details.getByRole('button', { name: 'Cancel it' }).click()
  await expect(details.getByTestId('status')).toHaveText('Cancelled')
  await expect(details.getByTestId('waiting')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(cashier.history.rows().first()).toContainText('Cancelled')
  await expect(embedded.getByRole('dialog')).toHaveCount(0)
  expect(await withdrawCalls(stack, user)).toBe(0)
})

test('declined while the user cancels: nothing is lost, and the page shows the decision', async ({
  page,
  stack,
  user,
  openWithdrawForm,
  consoleFaults,
}) => {
  const cashier = await openWithdrawForm('100')
  await cashier.withdraw.all('30', TRON_ADDRESS, { confirm: true })
  await button(cashier, 'Cancel withdrawal').click()
  await page.route('**/cancellation', async (route) => {
    await decide(stack, shownWithdrawal(page), { decision: 'decline', user_message: 'Please write to us.' })
    await route.fallback()
  })
  await button(cashier, 'Cancel it').click()
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'failed')
  await expect(cashier.withdraw.outcome().getByTestId('status')).toHaveText('Declined')
  await expect(cashier.withdraw.outcome().getByRole('blockquote')).toHaveText('Please write to us.')
  await expect(cashier.balance).toContainText('100')
  expect(await withdrawCalls(stack, user)).toBe(0)
  consoleFaults.length = 0
})

test('a new address waits, the page says until when, and then it is sent by itself, once', async ({
  page,
  stack,
  user,
  openCashier,
  embedded,
}) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  await fund(stack, user, '100', 'TRX')
  await cashier.pick('TRX', 'Tron')
  await cashier.goTo('withdraw')
  await cashier.withdraw.all('10', TRON_ADDRESS, { confirm: true })
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'pending_authorization')
  await expect(cashier.withdraw.outcome().getByTestId('status')).toHaveText('Waiting')
  await expect(waiting(cashier)).toContainText(/so it waits until .+\. Then it is sent by itself\./)
  expect(await withdrawCalls(stack, user)).toBe(0)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'processing', { timeout: WAIT_S * 2000 })
  expect(await withdrawCalls(stack, user)).toBe(1)
  expect(shownWithdrawal(page)).not.toBe('')
})
