/** A reader who has doubled the size of text, on the narrowest screen: words stay whole, and nothing leaves the page. */
import type { Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

/** Words that are broken, and boxes that stick out of the page. References, addresses and amounts may break. */
const faults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('.page *')].filter(
      (element) => !element.closest('.sr-only, [class*="sr-only"], svg, option, bdi') && element.checkVisibility(),
    )
    const broken = shown.flatMap((element) =>
      [...element.childNodes].flatMap((node) => {
        const words = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '').matchAll(/\p{L}+/gu) : []
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

test('at 320 px and twice the text size words stay whole', async ({ page, stack, user, openCashier }) => {
  const tidy = async (where: string): Promise<void> => expect(await faults(page), where).toEqual([])
  await page.setViewportSize({ width: 320, height: 700 })
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('html { font-size: 200% }')
    document.adoptedStyleSheets = [sheet]
  })
  await openCashier()
  const cashier = new Cashier(page)
  await fund(stack, user, '100')
  await expect(cashier.deposit.arrived()).toBeVisible()
  await cashier.pick('USDT', 'Tron')
  await expect(cashier.deposit.copy()).toBeEnabled()
  await tidy('deposit')
  await cashier.goTo('Withdraw')
  await cashier.withdraw.fill('25', TRON_ADDRESS)
  await tidy('withdraw')
  await cashier.withdraw.review()
  await expect(page.getByTestId('withdraw-review')).toBeVisible()
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
