/** A merchant's page that is longer than a phone's screen and is scrolled, with the cashier in it. */
import { expect, type Frame, type FrameLocator, type Locator, type Page } from 'playwright/test'
import { untilSeen } from '../../packages/testing/src/until-seen.ts'
import type { Stack } from '../fixtures/stack.ts'
import { HostPage } from './host-page.ts'

/**
 * Space in CSS pixels, without text, so that the browser's scroll anchoring finds nothing there while the frame grows.
 */
const ABOVE = 400
const BELOW = 4000

/** Where the page is scrolled to at first: the frame's upper edge is above the screen's. */
const SCROLLED = ABOVE + 20

/** Chromium drops a press on a frame that moved within the last half second. */
const MOVED_MS = 600

/** The content of the cashier in the merchant's page. */
export const cashierIn = (page: Page): FrameLocator => page.frameLocator('#cashier iframe')

/** The cashier's frame in the merchant's page: its URL, and the scripts in it. */
export function frameOf(page: Page): Frame {
  const [frame] = page.mainFrame().childFrames()
  if (!frame) throw new Error('the page has no frame')
  return frame
}

/** The id of the withdrawal whose outcome the frame shows; empty if it shows none. */
export const shownWithdrawal = (page: Page): string => new URL(frameOf(page).url()).searchParams.get('withdrawal') ?? ''

/** Loads the frame's document again, in the same session; the merchant's page stays. */
export async function reloadFrame(page: Page): Promise<void> {
  const frame = frameOf(page)
  await frame.goto(frame.url())
}

/** Goes back like the browser's button: Playwright's `goBack` waits for a new document of the page. */
export const goBack = (page: Page): Promise<void> => page.evaluate(() => history.back())

/** Scrolls to the element and waits until a press on it counts. */
export async function untilPressable(element: Locator): Promise<void> {
  await element.scrollIntoViewIfNeeded()
  await element.evaluate(untilSeen)
}

/**
 * Presses again while the press has no effect: the browser drops a press on a frame that has just moved. On a busy
 * machine the effect of a press may come late, and the button is gone then.
 * @param press with a time limit
 */
export const pressUntil = (shown: Locator, press: () => Promise<void>): Promise<void> =>
  expect(async () => {
    if (!(await shown.isVisible())) await press()
    await expect(shown).toBeVisible({ timeout: 3000 })
  }).toPass()

export class ScrolledHost {
  readonly page: Page
  readonly host: HostPage
  readonly cashier: FrameLocator

  private constructor(page: Page, host: HostPage) {
    this.page = page
    this.host = host
    this.cashier = host.cashier('cashier')
  }

  static async open(page: Page, stack: Stack, token: () => Promise<string>): Promise<ScrolledHost> {
    const scrolled = await ScrolledHost.begin(page, stack, token)
    await scrolled.host.ready('cashier')
    return scrolled
  }

  /** Like `open`, without waiting until the cashier's scripts have run. */
  static async begin(page: Page, stack: Stack, token: () => Promise<string>): Promise<ScrolledHost> {
    const host = await HostPage.onMerchant(page, stack, {
      token,
      head: `<style>body { margin: ${ABOVE}px 0 ${BELOW}px }</style>`,
    })
    await host.mount('cashier')
    const scrolled = new ScrolledHost(page, host)
    await page.evaluate((top) => window.scrollTo(0, top), SCROLLED)
    return scrolled
  }

  /** Presses an element; if it is not on the screen, first scrolls to it like a person. */
  async press(element: Locator, limit: { readonly timeout?: number } = {}): Promise<void> {
    const before = await this.scroll()
    await element.scrollIntoViewIfNeeded(limit)
    if ((await this.scroll()) !== before) await this.page.waitForTimeout(MOVED_MS)
    await element.click(limit)
  }

  scroll(): Promise<number> {
    return this.page.evaluate(() => scrollY)
  }

  async scrollTo(y: number): Promise<void> {
    await this.page.evaluate((top) => window.scrollTo(0, top), y)
    await this.page.waitForTimeout(MOVED_MS)
  }
}
