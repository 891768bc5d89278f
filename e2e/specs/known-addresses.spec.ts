/** In the merchant's page, on a phone: addresses that the user sent to, and addresses that look like them. */
import type { FrameLocator } from 'playwright/test'
import { fund, TRON_ADDRESS, currencyOf } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { violations } from '../fixtures/violations.ts'
import { requestedKeys } from '../fixtures/withdrawal-requests.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

test.use({ viewport: { width: 390, height: 844 } })

const ETHEREUM = '0x52908400098527886e0f7030069857d2e4169ee7'
/** The same ends, other characters between them. */
const PLANTED = '0x5290ffff098527886e0f7030069857d2e4169ee7'

/** Sends to an address, and lets the withdrawal succeed. */
async function sendOnce(stack: Stack, user: string, cashier: Cashier, address: string): Promise<void> {
  await cashier.withdraw.all('1', address)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  const [sent] = await stack.sandbox.control.withdrawals({ user_reference: user })
  await stack.sandbox.control.completeWithdrawal(sent?.transaction_uuid ?? '')
  await expect(cashier.withdraw.outcome()).toContainText('Your withdrawal is complete.')
}

/** Sends to `ETHEREUM` with USDT, until the form is there again. */
async function sendOnEthereum(stack: Stack, user: string, frame: FrameLocator): Promise<Cashier> {
  await fund(stack, user, '100', 'USDT', 'Ethereum')
  const cashier = new Cashier(frame)
  await cashier.pick('USDT', 'Ethereum')
  await cashier.goTo('Withdraw')
  await sendOnce(stack, user, cashier, ETHEREUM)
  await cashier.done()
  return cashier
}

const known = (frame: FrameLocator) => frame.getByTestId('known-addresses')
const entries = (frame: FrameLocator) => frame.getByTestId('address-list').getByRole('listitem')
const sentBefore = (frame: FrameLocator) => frame.getByTestId('sent-before')

test('an address that the user sent to is offered, named and forgotten, by keyboard', async ({
  page,
  stack,
  user,
  embedded,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('100')
  await embedded.getByLabel('Amount').fill('2')
  await expect(known(embedded)).toBeHidden()
  await cashier.withdraw.fill('2', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(sentBefore(embedded)).toHaveText('A new address')
  await cashier.backToForm()
  await sendOnce(stack, user, cashier, TRON_ADDRESS)

  await cashier.done()
  await embedded.getByLabel('Amount').fill('2')
  await known(embedded).focus()
  await page.keyboard.press('Enter')
  const dialog = embedded.getByRole('dialog', { name: 'Addresses you sent to' })
  await expect(entries(embedded)).toHaveCount(1)
  await expect(entries(embedded)).toContainText(/Last sent on \w+ \d+, \d{4}/)
  expect(await violations(frameOf(page))).toEqual([])

  await dialog.getByRole('button', { name: 'Give a name' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Your name for this address')).toBeFocused()
  expect(await violations(frameOf(page))).toEqual([])
  await page.keyboard.type('Savings at home')
  await page.keyboard.press('Enter')
  await expect(entries(embedded).getByText('Savings at home')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Give a name: Savings at home' })).toBeFocused()
  await expect(embedded.getByLabel('To address')).toHaveAttribute('aria-invalid', 'false')

  await entries(embedded).getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await expect(embedded.getByLabel('To address')).toHaveValue(TRON_ADDRESS)
  await expect(known(embedded)).toBeFocused()
  await cashier.withdraw.review()
  await expect(sentBefore(embedded)).toContainText(/^Savings at homeSent here before, last on \w+ \d+, \d{4}$/)
  await expect.poll(() => violations(frameOf(page))).toEqual([])
  await cashier.backToForm()

  await embedded.getByLabel('Amount').fill('3')
  await known(embedded).click()
  await dialog.getByRole('button', { name: 'Forget: Savings at home' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused()
  expect(await violations(frameOf(page))).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('No addresses are kept here.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await cashier.withdraw.fill('3', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(sentBefore(embedded)).toHaveText('A new address')
})

test('an address that looks like one that the user sent to stops the review until the user has compared both', async ({
  page,
  stack,
  user,
  embedded,
  openCashier,
}) => {
  await openCashier()
  const cashier = await sendOnEthereum(stack, user, embedded)

  const requested = requestedKeys(page)
  await cashier.withdraw.fill('2', PLANTED)
  await cashier.withdraw.review()
  const warning = embedded.getByTestId('look-alike')
  await expect(warning.getByRole('alert')).toContainText('Stop: this address only looks like one you know.')
  await expect(warning).toContainText('You sent to this one before')
  await expect(warning).toContainText('of 11 groups of characters, these differ: 2, 3.')
  expect(await warning.locator('mark').allInnerTexts()).toEqual(['90ff', 'ff09', '9084', '0009'])
  // The button changes its colours for a moment when it begins to take presses.
  await expect.poll(() => violations(frameOf(page))).toEqual([])

  await cashier.withdraw.send()
  const tick = warning.getByRole('checkbox')
  await expect(tick).toBeFocused()
  await expect(warning).toContainText('Nothing was sent.')
  await expect.poll(() => violations(frameOf(page))).toEqual([])
  await cashier.withdraw.send()
  await expect(tick).toBeFocused()
  expect(requested).toEqual([])

  await page.keyboard.press('Space')
  await expect(tick).toBeChecked()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toBeVisible()
  expect(requested).toHaveLength(1)
})

test('an address from which a planted deposit came is stopped; the one that the user sent to is not', async ({
  stack,
  user,
  embedded,
  openCashier,
}) => {
  await openCashier()
  const cashier = await sendOnEthereum(stack, user, embedded)
  await stack.sandbox.control.detectDeposit({
    user_reference: user,
    currency_id: await currencyOf(stack, 'USDT', 'Ethereum'),
    amount: '0.000001',
    from_address: PLANTED,
    confirm: true,
  })
  await cashier.withdraw.fill('2', ETHEREUM)
  await cashier.withdraw.review()
  await expect(sentBefore(embedded)).toContainText('Sent here before')
  await expect(embedded.getByTestId('look-alike')).toBeHidden()
  await cashier.backToForm()
  await cashier.withdraw.fill('2', PLANTED)
  await cashier.withdraw.review()
  await expect(embedded.getByTestId('look-alike')).toBeVisible()
})

test('with a balance of zero the form points to Deposit, or to the coin that the user has', async ({
  page,
  stack,
  user,
  embedded,
  openUsdt,
}) => {
  const cashier = await openUsdt()
  await cashier.goTo('Withdraw')
  const ways = embedded.getByTestId('ways-to-funds').getByRole('link')
  await expect(embedded.getByText('You have no USDT on Tron to withdraw.')).toBeVisible()
  await expect(embedded.getByRole('button', { name: /^Max/ })).toBeHidden()
  await expect(ways).toHaveText(['Deposit USDT'])
  expect(await violations(frameOf(page))).toEqual([])
  await fund(stack, user, '5', 'USDT', 'Ethereum')
  await expect(ways).toHaveText(['Withdraw USDT on Ethereum', 'Deposit USDT'])
  await ways.first().focus()
  await page.keyboard.press('Enter')
  await expect(embedded.getByRole('button', { name: /^Max/ })).toBeVisible()
  await expect(ways).toHaveCount(0)

  await cashier.pick('BTC', 'Bitcoin')
  await expect(embedded.getByText('You have no BTC on Bitcoin to withdraw.')).toBeVisible()
  await ways.last().click()
  await expect(embedded.getByTestId('address')).toBeVisible()
})
