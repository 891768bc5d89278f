/** The merchant's script restarts a frame whose page was replaced by the browser's error page. */
import type { BrowserContext, Page } from 'playwright/test'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { openEmbedded } from '../views/host-page.ts'

/** The contract's limit. */
const WITHIN_MS = 10_000

const cashierFrame = (page: Page) => page.frames().find((one) => one.url().includes('/c/'))

/** Waits until the browser's error page has replaced the cashier's page. */
async function loadWithoutAnswer(page: Page): Promise<void> {
  await cashierFrame(page)?.evaluate(() => setTimeout(() => location.reload()))
  await expect.poll(() => page.frames().some((one) => one.url().startsWith('chrome-error:'))).toBe(true)
}

interface Death {
  readonly die: (page: Page, context: BrowserContext, stack: Stack) => Promise<unknown>
  /** Events of the browser and actions of the person that restart the frame. */
  readonly notice: (page: Page, context: BrowserContext, stack: Stack) => Promise<unknown>
}

const DEATHS: Readonly<Record<string, Death>> = {
  'loaded offline, when the device is online again': {
    die: async (page, context) => {
      await context.setOffline(true)
      await loadWithoutAnswer(page)
    },
    notice: (_page, context) => context.setOffline(false),
  },
  'loaded while the server was away, at a press on the frame': {
    die: async (page, _context, { line }) => {
      await line.goAway()
      await loadWithoutAnswer(page)
      await line.comeBack()
    },
    notice: (page) => page.locator('#cashier iframe').click({ position: { x: 100, y: 50 } }),
  },
  'loaded while the server was away, at a press beside it': {
    die: async (page, _context, { line }) => {
      await line.goAway()
      await loadWithoutAnswer(page)
      await line.comeBack()
    },
    notice: (page) => page.mouse.click(5, 5),
  },
}

for (const [name, { die, notice }] of Object.entries(DEATHS))
  test(`${name}, the cashier restarts`, async ({ page, context, stack, createSession, consoleFaults }) => {
    const host = await openEmbedded(page, stack, async () => (await createSession()).launch_token)
    await expect(host.cashier('cashier').getByTestId('address')).toBeVisible()
    await die(page, context, stack)

    await notice(page, context, stack)

    await expect.poll(() => host.types('cashier'), { timeout: WITHIN_MS }).toEqual(['ready', 'ready'])
    await expect(host.cashier('cashier').getByTestId('address')).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(1)
    // The browser logs the failed load, and messages to the missing page.
    consoleFaults.length = 0
  })

test('presses do not restart a frame that works', async ({ page, stack, createSession }) => {
  await page.clock.install()
  const host = await openEmbedded(page, stack, async () => (await createSession()).launch_token)
  await expect(host.cashier('cashier').getByTestId('address')).toBeVisible()
  const before = await page.locator('iframe').getAttribute('name')
  for (let press = 0; press < 5; press += 1) {
    await page.mouse.click(5, 5)
    await page.clock.runFor(4_000)
  }
  expect(await page.locator('iframe').getAttribute('name')).toBe(before)
  expect(await host.types('cashier')).toEqual(['ready'])
})
