/** Every text that comes from outside stays text: from the gateway, and from the merchant. */
import type { Page } from 'playwright/test'
import { MARK, startHostileGateway, type HostileGateway } from '../fixtures/hostile-gateway.ts'
import type { StackWish } from '../fixtures/stack.ts'
import { expect, test as base } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

const test = base.extend<object, { hostile: HostileGateway; wish: StackWish }>({
  hostile: [
    async ({}, use) => {
      const gateway = await startHostileGateway()
      await use(gateway)
      await gateway.close()
    },
    { scope: 'worker' },
  ],
  wish: [
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

/** What the policy had to stop, which is what got further than it should. */
const watchViolations = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(window, { violations })
    document.addEventListener('securitypolicyviolation', (event) => {
      // An icon's address that is no picture is stopped, as it should be.
      if (event.effectiveDirective !== 'img-src') violations.push(`${event.effectiveDirective} ${event.sample}`)
    })
  })
}

const expectHarmless = async (page: Page): Promise<void> => {
  const found = await page.evaluate((mark) => {
    const { violations, [mark]: ran } = window as unknown as Record<string, unknown>
    const stray = document.querySelectorAll(`${mark}, [onerror], [onload], img[src="x"], a[href^="javascript:"]`)
    return { ran: ran ?? null, violations, stray: [...stray].map((element) => element.outerHTML) }
  }, MARK)
  expect(found).toEqual({ ran: null, violations: [], stray: [] })
}

test('currencies, addresses and transactions', async ({ page, openCashier, consoleFaults }) => {
  await watchViolations(page)
  await openCashier()
  const cashier = new Cashier(page)
  await expect(page.getByTestId('address')).toBeVisible()
  await expectHarmless(page)

  await page.getByRole('button', { name: /^Currency: / }).click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectHarmless(page)
  await page.keyboard.press('Escape')

  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(5)
  await expectHarmless(page)
  for (let row = 0; row < 5; row += 1) {
    await cashier.history.rows().nth(row).click()
    await expect(cashier.history.details()).toBeVisible()
    await expectHarmless(page)
    await page.keyboard.press('Escape')
    await expect(cashier.history.details()).toBeHidden()
  }
  // Pictures that are none are reported, and nothing else.
  expect(
    consoleFaults.filter((fault) => !/Failed to load resource|img-src|violates the following/.test(fault)),
  ).toEqual([])
  consoleFaults.length = 0
})

test("the merchant's words to a user whose withdrawal he declined", async ({ page, openCashier, consoleFaults }) => {
  await watchViolations(page)
  await openCashier()
  const cashier = new Cashier(page)
  await cashier.goTo('Withdraw')
  await cashier.withdraw.all('1', 'an-address-of-some-network')
  await expect(page.getByText('onerror')).toBeVisible()
  await expectHarmless(page)
  consoleFaults.length = 0
})
