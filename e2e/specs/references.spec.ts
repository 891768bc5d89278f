/** References that people read to support, on a narrow screen: no group of a reference is broken. */
import type { Locator } from 'playwright/test'
import { TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'

/** The lines of each UUID in the element, as displayed. */
const linesOfReferences = (within: Locator): Promise<string[][]> =>
  within.evaluate((root) => {
    const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
    const references = [...root.querySelectorAll('bdi')].filter(({ textContent }) => uuid.test(textContent))
    return references.map((reference) => {
      const lines = new Map<number, string>()
      const walker = document.createTreeWalker(reference, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const [at, character] of Array.from(node.textContent ?? '').entries()) {
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          const { top } = range.getBoundingClientRect()
          lines.set(top, (lines.get(top) ?? '') + character)
        }
      }
      return [...lines.values()]
    })
  })

for (const width of [390, 280])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('a reference breaks after a hyphen, and only if it is longer than a line', async ({ openWithdrawForm }) => {
      const cashier = await openWithdrawForm('100')
      await expect(cashier.balance).toContainText('100 USDT')
      // An amount whose answer the sandbox loses: the page shows the reference to quote.
      await cashier.withdraw.all('30.0704', TRON_ADDRESS)
      await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'unknown')
      const quoted = await linesOfReferences(cashier.withdraw.outcome())

      await cashier.goTo('History')
      await cashier.history.rows().first().click()
      await expect(cashier.history.details()).toContainText('Withdrawal reference')
      const listed = await linesOfReferences(cashier.history.details())
      expect(quoted).toHaveLength(1)
      expect(listed.length).toBeGreaterThan(0)
      for (const lines of [...quoted, ...listed]) {
        if (width === 390) expect(lines).toHaveLength(1)
        for (const line of lines.slice(0, -1)) expect(line).toMatch(/-$/)
      }
    })
  })
