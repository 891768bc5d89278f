/** `npm run pictures`: each screen in each language and appearance, in the git-ignored folder `pictures/`. */
import type { Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'

const LOCALES = ['en', 'de', 'es', 'fr', 'pt-BR', 'tr', 'ru', 'ja', 'zh-Hans', 'ar'] as const
const APPEARANCES = [
  { name: '320-light', theme: 'light', width: 320, textSize: '100%' },
  { name: '390-dark', theme: 'dark', width: 390, textSize: '100%' },
  { name: '390-light-large-text', theme: 'light', width: 390, textSize: '200%' },
  { name: '768-light', theme: 'light', width: 768, textSize: '100%' },
] as const

/** As a reader sets it in the browser. The CSP allows constructed style sheets. */
const setTextSize = (page: Page, size: string): Promise<unknown> =>
  page.addInitScript((fontSize) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`html { font-size: ${fontSize} }`)
    document.adoptedStyleSheets = [sheet]
  }, size)

for (const { locale, name, theme, width, textSize } of LOCALES.flatMap((one) =>
  APPEARANCES.map((appearance) => ({ locale: one, ...appearance })),
)) {
  test(`pictures: ${locale} ${name}`, async ({ page, stack, user, openCashier }) => {
    test.slow()
    const take = (on: Page, screen: string) =>
      on.screenshot({ path: `pictures/${locale}/${name}/${screen}.png`, fullPage: true, animations: 'disabled' })
    await page.setViewportSize({ width, height: 700 })
    await setTextSize(page, textSize)
    await openCashier({ locale, theme })
    await fund(stack, user, '1250.5')
    const base = page.url().replace(/\/deposit.*/, '')
    await page.goto(`${base}/deposit`)
    await expect(page.getByTestId('live-deposits').getByTestId('deposit')).toBeVisible()
    await expect(page.getByTestId('qr').locator('svg')).toBeVisible()
    await take(page, 'deposit')
    await page.getByTestId('currency-button').click()
    await expect(page.getByRole('option').first()).toBeVisible()
    await take(page, 'picker')

    await page.goto(`${base}/withdraw`)
    await page.locator('#withdraw-amount').fill('250')
    await page.locator('#withdraw-address').fill(TRON_ADDRESS)
    await take(page, 'withdraw')
    await page.getByTestId('withdraw-form').locator('button[type=submit]').click()
    await expect(page.getByTestId('withdraw-review')).toBeVisible()
    await take(page, 'review')
    await page.getByTestId('withdraw-review').getByRole('button').last().click()
    await expect(page.getByTestId('withdraw-outcome')).toBeVisible()
    await take(page, 'sent')
    await page.goto(`${base}/withdraw`)
    await page.locator('#withdraw-amount').fill('30.0704')
    await page.locator('#withdraw-address').fill(TRON_ADDRESS)
    await page.getByTestId('withdraw-form').locator('button[type=submit]').click()
    await page.getByTestId('withdraw-review').getByRole('button').last().click()
    await expect(page.getByTestId('withdraw-outcome')).toHaveAttribute('data-status', 'unknown')
    await take(page, 'not-sure')

    await page.goto(`${base}/buy`)
    await expect(page.getByTestId('buy-form')).toBeVisible()
    await page.locator('#buy-amount').fill('150')
    await take(page, 'buy')
    await page.locator('#buy-country').selectOption('DE')
    await page.getByTestId('buy-form').locator('button[type=submit]').click()
    await expect(page.locator('iframe')).toBeVisible()
    await take(page, 'provider')
    await page.goto(`${base}/history`)
    await expect(page.getByRole('button', { name: /250/ }).first()).toBeVisible()
    await take(page, 'history')
    await page.getByRole('button', { name: /250/ }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await take(page, 'details')
    await page.goto(`${stack.cashier.url}/onramp/return`)
    await take(page, 'return')
    await page.goto(`${stack.cashier.url}/c/${crypto.randomUUID()}`)
    await take(page, 'session-ended')
  })
}
