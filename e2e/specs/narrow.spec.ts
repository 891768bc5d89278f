/**
 * At 320 CSS pixels nothing runs out of its own card, with long names and amounts. Each screen is made once and shown in
 * the ten languages one after the other.
 */
import type { Page } from 'playwright/test'
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { TEN_LANGUAGES, expectTidy, narrowTest as test, useWideFont } from '../fixtures/narrow-page.ts'
import { LONG_NETWORK } from '../fixtures/renaming-gateway.ts'
import { expect } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf, ScrolledHost } from '../views/scrolled-host.ts'

const LONG_AMOUNT = '123456789012345678901234567890.123456'

/** Makes every row of the list a purchase with a long price. */
const useLongPrices = (page: Page): Promise<unknown> =>
  page.route('**/api/cashier/transactions?*', async (route) => {
    const response = await route.fetch()
    const paid = `"session_reference":"s1","from_amount":"${LONG_AMOUNT}","from_currency":"EUR","type"`
    await route.fulfill({ response, body: (await response.text()).replaceAll('"type"', paid) })
  })

/** A past day whose date is the longest in this language. */
function longestDay(locale: string): Date {
  const format = new Intl.DateTimeFormat(`${locale}-u-nu-latn`, { dateStyle: 'long', timeZone: 'UTC' })
  const days = Array.from({ length: 365 }, (_item, day) => new Date(Date.UTC(2025, 0, day + 1, 12)))
  return days.reduce((found, day) => (format.format(day).length > format.format(found).length ? day : found))
}

test('at 320 px nothing overflows its row, its card or the page, in every language', async ({
  page,
  stack,
  gateway,
  user,
  createSession,
  embedded,
}) => {
  test.slow()
  gateway.target = stack.sandbox.url
  await useWideFont(page)
  for (const at of new Set(TEN_LANGUAGES.map((locale) => longestDay(locale).toISOString())))
    await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: 1, at })
  const { host } = await ScrolledHost.open(page, stack, async () => (await createSession()).launch_token)
  const tidy = (where: string): Promise<void> => expectTidy(host, where)
  await fund(stack, user, LONG_AMOUNT)
  await expect(embedded.getByTestId('live-deposits')).toBeVisible()
  const { origin, pathname } = new URL(frameOf(page).url())

  await frameOf(page).goto(`${origin}${pathname}?currency=${await currencyOf(stack, 'USDT', 'Tron')}`)
  await expect(embedded.getByTestId('currency-button')).toContainText(LONG_NETWORK)
  await expect(embedded.getByTestId('address')).toBeVisible()
  // In the list: just after the load, a stress run once found a second one outside of it.
  await expect(embedded.getByTestId('live-deposits').getByTestId('deposit')).toBeVisible()
  await tidy('deposit')
  await embedded.getByTestId('currency-button').click()
  await expect(embedded.getByRole('option').filter({ hasText: LONG_NETWORK }).first()).toBeVisible()
  await tidy('currencies')
  await page.keyboard.press('Escape')

  await embedded.getByTestId('tab-withdraw').click()
  await embedded.locator('#withdraw-amount').fill(LONG_AMOUNT)
  await embedded.locator('#withdraw-address').fill(TRON_ADDRESS)
  await expect(embedded.locator('#withdraw-address-note')).toContainText(LONG_NETWORK)
  await tidy('withdraw')
  await embedded.getByTestId('withdraw-form').locator('button[type=submit]').click()
  await expect(embedded.getByTestId('withdraw-review')).toContainText(LONG_NETWORK)
  await embedded.locator('#withdraw-last-characters').fill(TRON_ADDRESS.slice(-4))
  await tidy('review')
  const { withdraw } = new Cashier(embedded)
  await withdraw.send()
  // The address looks like that of another network, so it is asked about once more.
  await expect(withdraw.sendAnyway()).toBeVisible()
  await tidy('the question about the address')
  await withdraw.send()
  await expect(embedded.getByTestId('withdraw-outcome')).toBeVisible()
  await expect(embedded.getByTestId('reserved')).toBeVisible()
  await tidy('outcome')

  await embedded.getByTestId('tab-buy').click()
  await embedded.locator('#buy-amount').fill(LONG_AMOUNT)
  await embedded.getByTestId('buy-form').locator('button[type=submit]').click()
  await tidy('buy')

  await embedded.getByTestId('tab-history').click()
  const rows = embedded.getByTestId('transaction')
  await expect(rows.filter({ hasText: LONG_NETWORK }).first()).toBeVisible()
  await expect(embedded.getByTestId('history').getByRole('heading', { level: 2 }).last()).toContainText('2025')
  await tidy('history')
  await useLongPrices(page)
  await fund(stack, user, LONG_AMOUNT)
  await expect(rows.filter({ hasText: 'EUR' }).first()).toBeVisible()
  await tidy('history with prices')
  await rows.first().click()
  await expect(embedded.getByTestId('details')).toBeVisible()
  await tidy('details')
  // A read after an event may be under way.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
