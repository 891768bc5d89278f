/** Texts of the gateway and of the merchant are rendered as text, never as markup or script. */
import type { Page } from 'playwright/test'
import { MARK, startHostileGateway, type HostileGateway } from '../fixtures/hostile-gateway.ts'
import type { StackOptions } from '../fixtures/stack.ts'
import { expect, test as base } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

const test = base.extend<object, { hostile: HostileGateway; stackOptions: StackOptions }>({
  hostile: [
    async ({}, use) => {
      const gateway = await startHostileGateway()
      await use(gateway)
      await gateway.close()
    },
    { scope: 'worker' },
  ],
  stackOptions: [
    async ({ hostile }, use) => {
      await use({
        cashier: {
          GATEWAY_BASE_URL: hostile.url,
          MERCHANT_AUTHORIZE_URL: `${hostile.url}/authorize`,
          MERCHANT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
        },
      })
    },
    { scope: 'worker' },
  ],
})

/** Violations of the Content-Security-Policy: an attack has reached the browser's last defence. */
const watchViolations = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(window, { violations })
    document.addEventListener('securitypolicyviolation', (event) => {
      // The policy blocks icon URLs that are not images, as intended.
      if (event.effectiveDirective !== 'img-src') violations.push(`${event.effectiveDirective} ${event.sample}`)
    })
  })
}

const expectHarmless = async (page: Page): Promise<void> => {
  const found = await frameOf(page).evaluate((mark) => {
    const { violations, [mark]: ran } = window as unknown as Record<string, unknown>
    const stray = document.querySelectorAll(`${mark}, [onerror], [onload], img[src="x"], a[href^="javascript:"]`)
    return { ran: ran ?? null, violations, stray: [...stray].map((element) => element.outerHTML) }
  }, MARK)
  expect(found).toEqual({ ran: null, violations: [], stray: [] })
}

/** Those of the texts whose first digit is at the right of their last letter. */
const turned = (values: readonly Element[]): string[] =>
  values.flatMap(({ firstChild: text, textContent: shown }) => {
    if (!text) return [shown]
    const leftOf = (at: number): number => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().left
    }
    return leftOf(shown.search(/\d/)) > leftOf(shown.length - 1) ? [shown] : []
  })

// One stack for all tests, because starting a stack costs more than these tests.
test.describe.configure({ mode: 'default' })

test('currencies, addresses and transactions', async ({ page, embedded, openCashier, consoleFaults }) => {
  await watchViolations(page)
  await openCashier()
  const cashier = new Cashier(embedded)
  await expect(embedded.getByTestId('address')).toBeVisible()
  const values = embedded.getByTestId('value')
  await expect(embedded.getByTestId('live-deposits').locator(values)).toHaveCount(1)
  expect(await values.evaluateAll(turned), 'a value after the name of a network, in the card of a deposit').toEqual([])
  await expectHarmless(page)

  await embedded.getByRole('button', { name: /^Currency: / }).click()
  await expect(embedded.getByRole('option').first()).toBeVisible()
  await expectHarmless(page)
  await page.keyboard.press('Escape')

  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(5)
  await expect(embedded.getByTestId('left-out')).toContainText('Some transactions are missing from this page')
  await expect(embedded.getByTestId('stale')).toHaveCount(0)
  await expectHarmless(page)
  await expect(values).toHaveCount(5)
  expect(await values.evaluateAll(turned), 'a value after the name of a network').toEqual([])
  for (let row = 0; row < 5; row += 1) {
    await cashier.history.rows().nth(row).click()
    await expect(cashier.history.details()).toBeVisible()
    await expectHarmless(page)
    await page.keyboard.press('Escape')
    await expect(cashier.history.details()).toBeHidden()
  }
  // The browser reports only invalid images.
  expect(
    consoleFaults.filter((fault) => !/Failed to load resource|img-src|violates the following/.test(fault)),
  ).toEqual([])
  consoleFaults.length = 0
})

test("the merchant's message for a declined withdrawal", async ({ page, embedded, openCashier, consoleFaults }) => {
  await watchViolations(page)
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.goTo('Withdraw')
  await cashier.withdraw.all('1', 'an-address-of-some-network')
  await expect(embedded.getByText('onerror')).toBeVisible()
  await expectHarmless(page)
  consoleFaults.length = 0
})
