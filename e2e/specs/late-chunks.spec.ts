/** The code that a flow loads on demand may come late: the current screen stays until then. */
import type { Page } from 'playwright/test'
import { holdScripts } from '../fixtures/held-scripts.ts'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test, type TestFixtures } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { cashierIn, frameOf } from '../views/scrolled-host.ts'

/** Records in the page whether a placeholder is shown from now on. */
const watchPlaceholders = (page: Page): Promise<void> =>
  frameOf(page).evaluate(() => {
    const seen = { placeholder: false }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      seen.placeholder ||= document.querySelector('[data-testid="loading"]') !== null
    }).observe(document.body, { childList: true, subtree: true })
  })

const sawPlaceholder = (page: Page): Promise<unknown> =>
  frameOf(page).evaluate(() => (Reflect.get(window, 'seen') as { readonly placeholder: boolean }).placeholder)

/** Resolves when the page has had time to show the answer to this call. */
async function answerOf(page: Page, path: string): Promise<void> {
  const response = await page.waitForResponse(`**/api/cashier/${path}`)
  await response.finished()
  await frameOf(page).evaluate(async () => {
    for (let frame = 0; frame < 20; frame += 1) await new Promise((shown) => requestAnimationFrame(shown))
  })
}

/** The form of a user with 10 USDT; scripts with `text` have not arrived. */
async function openForm(
  { page, stack, user, openCashier }: Pick<TestFixtures, 'user' | 'openCashier'> & { page: Page; stack: Stack },
  text: string,
) {
  const late = await holdScripts(page, text)
  await openCashier({ flows: ['withdraw'] })
  await fund(stack, user, '10')
  const cashier = new Cashier(cashierIn(page))
  await cashier.pick('USDT', 'Tron')
  await expect(cashier.balance).toContainText('10 USDT')
  await watchPlaceholders(page)
  return { late, cashier }
}

test('the form stays until the review is there', async ({ page, embedded, stack, user, openCashier }) => {
  const { late, cashier } = await openForm({ page, stack, user, openCashier }, 'withdraw-review')
  const form = cashier.withdraw.form()
  await embedded.getByLabel('Amount').focus()
  await late.held
  await cashier.withdraw.fill('4', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(embedded.getByRole('button', { name: 'Review' })).toHaveAttribute('aria-busy', 'true')
  await expect(form).toBeVisible()
  await expect(embedded.getByLabel('Amount')).toHaveValue('4')

  late.release()
  await expect(embedded.getByTestId('withdraw-review')).toContainText('4 USDT')
  await expect(form).toHaveCount(0)
  expect(await sawPlaceholder(page)).toBe(false)
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect(await sawPlaceholder(page)).toBe(false)
})

test('if the form changes while the review loads, the old values are not reviewed', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  const { late, cashier } = await openForm({ page, stack, user, openCashier }, 'withdraw-review')
  await cashier.withdraw.fill('4', TRON_ADDRESS)
  const review = embedded.getByRole('button', { name: 'Review' })
  await review.click()
  await expect(review).toHaveAttribute('aria-busy', 'true')
  await embedded.getByLabel('Amount').fill('5')
  await expect(review).not.toHaveAttribute('aria-busy')
  await review.click()
  late.release()
  await expect(embedded.getByTestId('withdraw-review')).toContainText('5 USDT')
  expect(await sawPlaceholder(page)).toBe(false)
})

test('the review stays until the outcome is there', async ({ page, embedded, stack, user, openCashier }) => {
  const { late, cashier } = await openForm({ page, stack, user, openCashier }, 'withdraw-outcome')
  await cashier.withdraw.fill('4', TRON_ADDRESS)
  await late.held
  await cashier.withdraw.review()
  const answered = answerOf(page, 'withdrawals')
  await cashier.withdraw.send()
  await answered
  await expect(embedded.getByRole('button', { name: 'Sending' })).toHaveAttribute('aria-busy', 'true')
  late.release()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect(await sawPlaceholder(page)).toBe(false)
})

test('the form of a purchase stays until the purchase is there', async ({ page, embedded, openCashier }) => {
  const late = await holdScripts(page, 'link-expires')
  await openCashier({ flows: ['buy'] })
  const { buy } = new Cashier(embedded)
  await watchPlaceholders(page)
  await buy.fill('100', 'DE')
  await late.held
  const answered = answerOf(page, 'onramp-sessions')
  await buy.start()
  await answered
  await expect(buy.form()).toBeVisible()
  late.release()
  await expect(buy.purchase()).toBeVisible()
  expect(await sawPlaceholder(page)).toBe(false)
})
