import { setTimeout as sleep } from 'node:timers/promises'
import { BITCOIN_ADDRESS, TRON_ADDRESS } from '../fixtures/money.ts'
import { pressEach, pressLate } from '../fixtures/press-bursts.ts'
import { sandboxPayoutsOf, withdrawCalls } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { loseNextAnswer, requestedKeys } from '../fixtures/withdrawal-requests.ts'
import { Cashier } from '../views/cashier.ts'
import { HostPage } from '../views/host-page.ts'
import { cashierIn, reloadFrame } from '../views/scrolled-host.ts'

/** The button ignores presses for 1.5 s after the question has appeared. */
const LONGER_THAN_THE_QUESTION_WAITS_MS = 2500

test.use({ stackOptions: { cashier: { WITHDRAWAL_ABSENCE_S: '2', GATEWAY_TIMEOUT_MS: '2000' } } })
// They mostly wait, so one after the other they would be the end of the run.
test.describe.configure({ mode: 'parallel' })

test('from the form to the completion, with the balance, live', async ({
  page,
  embedded,
  stack,
  user,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('1250.5')
  await expect(cashier.balance).toContainText('1,250.5')

  await cashier.withdraw.fill('250', TRON_ADDRESS)
  await expect(embedded.getByText('This is a valid Tron address.')).toBeVisible()
  await cashier.withdraw.review()
  await expect(embedded.getByRole('heading', { name: 'Check before you send' })).toBeFocused()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  await expect(cashier.reserved).toHaveText('250 USDT reserved, 1,250.5 USDT in total')
  await expect(embedded.getByTestId('announcements')).toHaveText('Withdrawal of 250 USDT: Processing')

  const payouts = await sandboxPayoutsOf(stack, user)
  expect(payouts).toHaveLength(1)
  await stack.sandbox.control.completeWithdrawal(payouts[0] ?? '')
  await expect(cashier.withdraw.outcome()).toContainText('Your withdrawal is complete.')
  await expect(cashier.balance).toContainText('1,000.5')
  await expect(cashier.reserved).toBeHidden()

  await reloadFrame(page)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'succeeded')
})

test('errors are shown at their field', async ({ embedded, openWithdrawForm }) => {
  const cashier = await openWithdrawForm('10')
  await expect(cashier.balance).toContainText('10')
  await cashier.withdraw.fill('11', BITCOIN_ADDRESS)
  await expect(embedded.getByText('This address is for Bitcoin. You chose Tron.')).toBeVisible()
  await expect(embedded.getByText('You have only 10 USDT available.')).toBeVisible()
  await cashier.withdraw.fill('1,234', TRON_ADDRESS.replace('TJ', 'Tj'))
  await embedded
    .getByRole('button', { name: '1,234' })
    .or(embedded.getByRole('button', { name: '1.234' }))
    .first()
    .click()
  await cashier.withdraw.review()
  await expect(embedded.getByLabel('To address')).toHaveAttribute('aria-invalid', 'true')
  await expect(embedded.getByText('Check before you send')).toBeHidden()
})

test('a withdrawal that needs an approval says so', async ({ openWithdrawForm }) => {
  const cashier = await openWithdrawForm('10')
  await cashier.withdraw.all('1.0701', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'awaiting_approval')
  await expect(cashier.withdraw.outcome()).toContainText('This withdrawal must be approved before it is sent.')
})

test('a refused withdrawal releases the money', async ({ embedded, openWithdrawForm }) => {
  const cashier = await openWithdrawForm('10')
  await cashier.withdraw.all('1.0702', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Nothing was sent. Your 1.0702 USDT are available again.')
  await expect(cashier.balance).toContainText('10')
  await expect(embedded.getByTestId('support')).toBeVisible()
})

test('a withdrawal with an unknown outcome says so, is not sent again, and is resolved later', async ({
  stack,
  user,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('10')
  // The connection is cut before the gateway records the withdrawal; only its absence from the list shows this.
  await cashier.withdraw.all('2.0704', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'unknown')
  await expect(cashier.withdraw.outcome()).toContainText(
    'It will not be sent twice, and your 2.0704 USDT stay reserved.',
  )
  await expect(cashier.withdraw.outcome()).toContainText('Nothing was sent.')

  // The connection is cut after the gateway recorded the withdrawal, so the list has it.
  await cashier.done()
  await cashier.withdraw.all('2.0705', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')

  expect(await withdrawCalls(stack, user)).toBe(2)
})

for (const storage of ['given', 'denied', 'silent'])
  test(`after a lost response the same key is sent again, with storage ${storage}`, async ({
    page,
    stack,
    user,
    consoleFaults,
    openWithdrawForm,
  }) => {
    if (storage === 'denied')
      await page.addInitScript(() => {
        IDBFactory.prototype.open = () => {
          throw new DOMException('denied', 'SecurityError')
        }
      })
    if (storage === 'silent')
      await page.addInitScript(() => {
        IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
      })
    const cashier = await openWithdrawForm('10')
    await cashier.withdraw.fill('3', TRON_ADDRESS)
    await cashier.withdraw.review()
    await loseNextAnswer(page)
    await cashier.withdraw.send()
    await expect(cashier.withdraw.alert()).toContainText('the same request is never sent twice')
    await cashier.withdraw.send()
    await expect(cashier.withdraw.outcome()).toContainText('Processing')
    expect(await withdrawCalls(stack, user)).toBe(1)
    consoleFaults.length = 0
  })

test('for the same amount to the same address within two minutes, the review asks again, in any tab', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('100')
  await expect(cashier.balance).toContainText('100')
  await cashier.withdraw.all('4', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  const paid = async (): Promise<number> => (await sandboxPayoutsOf(stack, user)).length

  const other = await page.context().newPage()
  await openCashier({}, other)
  const inOtherTab = new Cashier(cashierIn(other))
  await inOtherTab.pick('USDT', 'Tron')
  await inOtherTab.goTo('Withdraw')
  // A tab in the background is painted once a second, and each press waits for a paint.
  for (const [tab, of] of [
    [inOtherTab, other],
    [cashier, page],
  ] as const) {
    await of.bringToFront()
    if (tab === cashier) await cashier.done()
    await tab.withdraw.fill('4.00', TRON_ADDRESS)
    await tab.withdraw.review()
    await expect(tab.withdraw.alert()).toContainText('less than two minutes ago')
    await tab.withdraw.send()
    await expect(tab.withdraw.sendAgain()).toBeVisible()
  }
  await page.waitForTimeout(500)
  expect(await paid()).toBe(1)
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect(await paid()).toBe(2)

  // Presses in quick succession do not answer the question.
  await cashier.done()
  for (const press of ['click', 'enter'] as const) {
    await cashier.withdraw.fill('4', TRON_ADDRESS)
    await cashier.withdraw.review()
    await expect(cashier.withdraw.alert()).toContainText('less than two minutes ago')
    const send = embedded.getByRole('button', { name: /^Send / })
    // The button accepts presses when the frame's size is steady. An earlier press shows a notice, which moves the button.
    await send.click({ trial: true })
    await pressEach(page, send, { press, gapMs: 60, until: sleep(LONGER_THAN_THE_QUESTION_WAITS_MS) })
    await expect(cashier.withdraw.sendAgain()).toBeVisible()
    expect(await paid()).toBe(2)
    await embedded.getByRole('button', { name: 'Back' }).click()
  }

  await cashier.withdraw.all('5', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect(await paid()).toBe(3)

  // The page object does not confirm the question by itself.
  await cashier.done()
  await expect(cashier.withdraw.all('5', TRON_ADDRESS)).rejects.toThrow('less than two minutes ago')
  expect(await paid()).toBe(3)
  await embedded.getByRole('button', { name: 'Back' }).click()
  await cashier.withdraw.all('5', TRON_ADDRESS, { confirm: true })
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect(await paid()).toBe(4)
})

test('on a device whose clock is a day ahead, the review asks about a repeat, and today is today', async ({
  page,
  openCashier,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('100')
  await cashier.withdraw.all('4', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')

  const ahead = await page.context().newPage()
  await ahead.clock.install({ time: Date.now() + 86_400_000 })
  await openCashier({}, ahead)
  const there = new Cashier(cashierIn(ahead))
  await there.pick('USDT', 'Tron')
  await there.goTo('History')
  await expect(there.history.days()).toHaveText(['Today'])
  await there.goTo('Withdraw')
  await there.withdraw.fill('4', TRON_ADDRESS)
  await there.withdraw.review()
  await expect(there.withdraw.alert()).toContainText('less than two minutes ago')
})

test('opened ten minutes after its frame was loaded, the page knows the time and asks about a repeat', async ({
  page,
  stack,
  createSession,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('100')
  await cashier.withdraw.all('4', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')

  const later = await page.context().newPage()
  let signedIn = false
  const host = await HostPage.onMerchant(later, stack, {
    token: async () => {
      if (!signedIn) throw new Error('signed out')
      return (await createSession()).launch_token
    },
  })
  await host.mount('cashier')
  const frame = host.cashier('cashier')
  const retry = frame.getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  await frame.locator('html').evaluate(() => {
    for (const clock of [Date, performance]) {
      const now = clock.now.bind(clock)
      clock.now = () => now() + 600_000
    }
  })
  signedIn = true
  await retry.click()
  const there = new Cashier(frame)
  await there.pick('USDT', 'Tron')
  await there.goTo('Withdraw')
  await there.withdraw.fill('4', TRON_ADDRESS)
  await there.withdraw.review()
  await expect(there.withdraw.alert()).toContainText('less than two minutes ago')
})

// At top level, because Chromium drops a press that was made before its frame was resized.
test('a press that the page handles late does not answer the question', async ({ page, openWithdrawForm }) => {
  const cashier = await openWithdrawForm('100', 'top')
  await expect(cashier.balance).toContainText('100')
  await cashier.withdraw.all('4', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  const requested = requestedKeys(page)

  await cashier.done()
  await cashier.withdraw.fill('4', TRON_ADDRESS)
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.sendAgain()).toBeEnabled()
  const shownAt = Date.now()
  for (const beforeMs of [3000, 60_000]) {
    await pressLate(page, cashier.withdraw.sendAgain(), Date.now() - shownAt + beforeMs)
    // The button says that it is busy, and then accepts presses again.
    await expect(cashier.withdraw.sendAgain()).toHaveAttribute('aria-busy', 'true')
    await expect(cashier.withdraw.sendAgain()).toBeEnabled()
  }
  expect(requested).toEqual([])
  await cashier.withdraw.sendAgain().click()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect(requested).toHaveLength(1)
})
