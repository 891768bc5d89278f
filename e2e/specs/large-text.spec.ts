/** With doubled text size on the narrowest screen, words are not broken and nothing overflows its card. */
import type { Locator, Page } from 'playwright/test'
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { overflows, TEN_LANGUAGES } from '../fixtures/narrow-page.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { HostPage } from '../views/host-page.ts'

test.use({ viewport: { width: 320, height: 700 } })

/** Sets the text size in the page and in its frames. */
const doubleText = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('html { font-size: 200% }')
    document.adoptedStyleSheets = [sheet]
  })

/** Finds broken words, and boxes that overflow the page. References, addresses and amounts may break. */
const faults = (body: Locator): Promise<readonly string[]> =>
  body.evaluate(() => {
    // Chinese and Japanese may break at any letter.
    const WORD = /[\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]]+/gv

    const shown = [...document.querySelectorAll('.page *, [role=dialog] *')].filter(
      (element) => !element.closest('.sr-only, [class*="sr-only"], svg, option, bdi') && element.checkVisibility(),
    )
    const broken = shown.flatMap((element) =>
      [...element.childNodes].flatMap((node) => {
        const words = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '').matchAll(WORD) : []
        return [...words].flatMap(({ 0: word, index }) => {
          const range = document.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
          return lines.size > 1 ? [`${word} is on ${lines.size} lines`] : []
        })
      }),
    )
    const outside = shown
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => `sticks out: ${element.outerHTML.slice(0, 120)}`)
    return [...broken, ...outside]
  })

test('at 320 px and twice the text size words stay whole', async ({ page, embedded, stack, user, openCashier }) => {
  const tidy = async (where: string): Promise<void> => expect(await faults(embedded.locator('body')), where).toEqual([])
  await doubleText(page)
  await openCashier()
  const cashier = new Cashier(embedded)
  await fund(stack, user, '161.204455')
  await expect(cashier.deposit.arrived()).toBeVisible()
  await cashier.pick('USDT', 'Tron')
  await expect(cashier.deposit.copy()).toBeEnabled()
  await expect(cashier.balance).toContainText('161.204455')
  await stack.cashier.api.tellRates({ [await currencyOf(stack, 'USDT', 'Tron')]: '1' })
  await embedded.getByTestId('currency-button').click()
  await expect(embedded.getByRole('option').getByText('161.204455')).toBeVisible()
  await tidy('picker')
  await page.keyboard.press('Escape')
  const lines = await cashier.balance
    .locator('bdi bdi')
    .evaluate((amount) => new Set([...amount.getClientRects()].map(({ top }) => Math.round(top))).size)
  expect(lines, 'lines of the balance').toBe(1)
  await tidy('deposit')
  await cashier.goTo('Withdraw')
  await cashier.withdraw.fill('25', TRON_ADDRESS)
  await tidy('withdraw')
  await cashier.withdraw.review()
  await expect(embedded.getByTestId('withdraw-review')).toBeVisible()
  await tidy('review')
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'processing')
  await tidy('outcome')
  await cashier.goTo('Buy')
  await expect(cashier.buy.form()).toBeVisible()
  await tidy('buy')
  await cashier.goTo('History')
  await expect(cashier.history.rows().filter({ visible: true })).toHaveCount(2)
  await tidy('history')
})

test('in every language words are not broken, in the frame of a merchant’s page', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  await doubleText(page)
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession()).launch_token,
    head: '<style>body { margin: 0 }</style>',
  })
  await host.mount('cashier')
  await host.ready('cashier')
  const root = host.cashier('cashier')
  const cashier = new Cashier(root)
  const { withdraw } = cashier
  const tidyInEachLanguage = async (where: string): Promise<void> => {
    for (const locale of TEN_LANGUAGES) {
      await host.update('cashier', { locale })
      await expect(root.locator('html')).toHaveAttribute('lang', locale)
      const body = root.locator('body')
      expect([...(await faults(body)), ...(await overflows(body))], `${where}, ${locale}`).toEqual([])
    }
  }
  await cashier.goTo('History')
  await expect(root.getByText('No transactions yet')).toBeVisible()
  await tidyInEachLanguage('an empty history')
  await cashier.goTo('Deposit')
  await cashier.pick('USDT', 'Tron')
  await expect(cashier.deposit.copy()).toBeEnabled()
  await tidyInEachLanguage('deposit')
  await fund(stack, user, '100')
  // Every state with steps: docs/guides/test.md, "Magic values".
  for (const [amount, status] of [
    ['25.0701', 'awaiting_approval'],
    ['30.0704', 'unknown'],
    ['20.0702', 'failed'],
    ['10', 'processing'],
  ] as const) {
    await cashier.goTo('Withdraw')
    await withdraw.fill(amount, TRON_ADDRESS)
    await withdraw.review()
    await withdraw.send()
    await expect(withdraw.outcome()).toHaveAttribute('data-status', status)
    await tidyInEachLanguage(status)
    await cashier.done()
  }
})
