import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame, Page } from 'playwright/test'
import { fund } from '../fixtures/money.ts'
import { openSlowPages } from '../fixtures/slow-pages.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { HostPage } from '../views/host-page.ts'
import { cashierIn, frameOf } from '../views/scrolled-host.ts'

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

declare global {
  interface Window {
    shifts: string[]
  }
}

/** A narrow viewport with the full height of the page. */
const ALL_OF_IT = { width: 360, height: 1600 }
/** The longest wait for a frame's answer to one question. */
const ANSWER_MS = 5000
const FLOWS = ['deposit', 'withdraw', 'buy', 'history'] as const

/** Each shift, as its value and the moved elements. */
function recordShifts(): void {
  window.shifts = []
  const nameOf = (node: Node | null): string => {
    const element = node instanceof Element ? node : node?.parentElement
    return element?.closest('.page > footer') ? 'the footer' : (node?.textContent ?? 'what is gone')
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[])
      if (!entry.hadRecentInput)
        window.shifts.push(`${entry.value} ${entry.sources.map(({ node }) => nameOf(node)).join(' | ')}`)
  }).observe({ type: 'layout-shift', buffered: true })
}

/**
 * Waits until text of the frame's page at this path, which is still arriving, is painted. Asked by animation frames:
 * Chromium sometimes reports no first contentful paint until more of the page comes.
 */
async function untilPainted(page: Page, path: string): Promise<void> {
  const paintsText = (frame: Frame): Promise<boolean> =>
    frame.evaluate(async () => {
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      if (document.body.innerText.trim() === '') return false
      await nextFrame()
      await nextFrame()
      return true
    })
  const isPainted = async (frame: Frame): Promise<boolean> =>
    new URL(frame.url()).pathname === path &&
    // A frame that does not answer is asked again.
    (await Promise.race([paintsText(frame).catch(() => false), sleep(ANSWER_MS, false)]))
  await expect.poll(async () => (await Promise.all(page.frames().map(isPainted))).includes(true)).toBe(true)
}

/** What each frame says of itself, for the message of a failure. */
const describeFrames = async (page: Page): Promise<string> => {
  const texts = page.frames().map((frame) =>
    Promise.race([
      frame
        .evaluate(() => {
          const paints = performance.getEntriesByType('paint').map(({ name, startTime }) => `${name} ${startTime}`)
          return [document.readyState, document.visibilityState, innerWidth, innerHeight, ...paints].join(', ')
        })
        .catch(String),
      sleep(ANSWER_MS, 'no answer'),
    ]).then((text) => `${new URL(frame.url()).pathname}: ${text}`),
  )
  return (await Promise.all(texts)).join('; ')
}

/** A list that comes late may differ in height from its placeholder, so the footer may move; nothing else is below. */
async function unexpectedShifts(frame: Frame, flow: (typeof FLOWS)[number]): Promise<readonly string[]> {
  const shifts = await frame.evaluate(() => window.shifts)
  return flow === 'deposit' || flow === 'history' ? shifts.filter((shift) => !/^\S+ the footer$/.test(shift)) : shifts
}

test('no layout shifts while a page loads', async ({ page, embedded, stack, user, openCashier }) => {
  await page.addInitScript(recordShifts)
  await openCashier()
  await fund(stack, user, '1250.5')
  await expect(embedded.getByTestId('live-deposits').getByTestId('deposit')).toBeVisible()
  const frame = frameOf(page)
  const base = frame.url().replace(/\/deposit.*/, '')
  for (const flow of FLOWS) {
    await frame.goto(`${base}/${flow}`)
    await expect(embedded.getByTestId('loading')).toBeHidden()
    await expect(embedded.getByTestId('balance')).toContainText('1,250.5')
    await expect(new Cashier(embedded).connection).toContainText('Live')
    expect(await unexpectedShifts(frame, flow), flow).toEqual([])
  }
})

test('no layout shifts on a slow network', async ({ browser, embedded, stack, user, openCashier }) => {
  await openCashier()
  const deposits = embedded.getByTestId('live-deposits').getByTestId('deposit')
  for (const amount of ['1000', '200.5', '50']) await fund(stack, user, amount)
  await expect(deposits.filter({ hasText: 'Credited' })).toHaveCount(3)

  const opened = Promise.withResolvers<Page>()
  const unseen: string[] = []
  /** The rest of a page comes when its first half is seen. */
  await using proxy = await openSlowPages(async (path) => {
    if (!path.startsWith('/c/')) return
    const page = await opened.promise
    await untilPainted(page, path).catch(async () => unseen.push(`${path} (${await describeFrames(page)})`))
  })
  await using context = await browser.newContext({ viewport: ALL_OF_IT, proxy: { server: proxy.url } })
  const slow = await context.newPage()
  opened.resolve(slow)
  await slow.addInitScript(recordShifts)
  const { session_id } = await openCashier({ account_label: 'Alex Example', return_url: stack.merchant.url }, slow)
  const frame = frameOf(slow)
  const cashier = new Cashier(cashierIn(slow))
  for (const flow of FLOWS) {
    const url = `${stack.cashier.url}/c/${session_id}/${flow}`
    // The frame starts with the first flow.
    if (!frame.url().startsWith(url)) await frame.goto(url)
    await expect(cashier.balance).toContainText('1,250.5')
    await expect(cashier.connection).toContainText('Live')
    expect(unseen, 'half of the page is not seen').toEqual([])
    const unended = await frame.evaluate(() =>
      Array.from(document.querySelectorAll('.shown-whole:not(:has(> .whole-end))'), (part) => part.outerHTML),
    )
    expect(unended, flow).toEqual([])
    expect(await unexpectedShifts(frame, flow), flow).toEqual([])
  }
})

test('no layout shifts on a slow phone', async ({ page, embedded, context, openCashier }) => {
  await page.addInitScript(recordShifts)
  await openCashier()
  await expect(new Cashier(embedded).connection).toContainText('Live')
  const slow = await context.newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 5 })
  const frame = frameOf(page)
  const base = frame.url().replace(/\/deposit.*/, '')
  for (const flow of ['buy', 'withdraw', 'buy']) {
    await frame.goto(`${base}/${flow}`)
    await expect(new Cashier(embedded).connection).toContainText('Live')
    expect(await frame.evaluate(() => window.shifts), flow).toEqual([])
  }
})

for (const address of ['known', 'new', 'late']) {
  test(`nothing moves on the merchant’s page while the cashier opens, with an address that is ${address}`, async ({
    page,
    stack,
    user,
    createSession,
  }) => {
    if (address === 'known') {
      const { launch_url } = await createSession()
      await page.goto(launch_url)
      await expect(page.getByTestId('address')).toBeVisible()
    }
    const { control } = stack.sandbox
    const host = await HostPage.onMerchant(page, stack, {
      below: '<p>Below the cashier.</p>',
      token: async () => (await createSession()).launch_token,
    })
    await page.addInitScript(recordShifts)
    await page.reload()
    if (address === 'late')
      await control.fault({
        target: 'deposit_address',
        kind: 'delay',
        settings: { delay_ms: 700 },
        match: { user_reference: user },
      })
    await host.mount('cashier')
    // The element that makes room for the frame belongs to the merchant.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await page.evaluate(() => (window.shifts = []))
    await host.ready('cashier')
    await expect(host.cashier('cashier').getByTestId('address')).toBeVisible()
    await page.waitForTimeout(300)
    const values = await Promise.all(page.frames().map((frame) => frame.evaluate(() => window.shifts)))
    const sum = values.flat().reduce((total, shift) => total + Number(shift.split(' ')[0]), 0)
    expect(sum, values.flat().join('\n')).toBeLessThanOrEqual(0.01)
  })
}

test('a flow that was shown before paints from the cache at once', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  await openCashier()
  await fund(stack, user, '3')
  await expect(embedded.getByTestId('live-deposits').getByTestId('deposit')).toBeVisible()
  await embedded.getByTestId('tab-history').click()
  await expect(embedded.getByTestId('transaction').first()).toBeVisible()
  await embedded.getByTestId('tab-deposit').click()
  await expect(embedded.getByTestId('qr').locator('svg')).toBeVisible()
  // From now on no answers arrive, so the content comes from the cache.
  const over = Promise.withResolvers<null>()
  await page.route(/\/api\/cashier\/(transactions|deposit-addresses)/, async (route) => {
    await over.promise
    await route.continue().catch(() => undefined)
  })
  await embedded.getByTestId('tab-history').click()
  await expect(embedded.getByTestId('transaction').first()).toBeVisible()
  await embedded.getByTestId('tab-deposit').click()
  await expect(embedded.getByTestId('qr').locator('svg')).toBeVisible()
  over.resolve(null)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('no animation with reduced motion; the current tab and filter are marked with forced colours', async ({
  page,
  embedded,
  openCashier,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
  await openCashier()
  await embedded.getByTestId('currency-button').click()
  await expect(embedded.getByRole('option').first()).toBeVisible()
  expect(await frameOf(page).evaluate(() => document.getAnimations().length)).toBe(0)
  await page.keyboard.press('Escape')
  const outline = (name: string): Promise<string> =>
    embedded
      .getByRole('navigation')
      .getByRole('link', { name })
      .evaluate((link) => getComputedStyle(link).outlineStyle)
  expect(await outline('Deposit')).toBe('solid')
  expect(await outline('History')).toBe('none')
  await embedded.getByRole('link', { name: 'History' }).click()
  const filter = (name: string): Promise<string> =>
    embedded
      .getByRole('group', { name: 'Filters' })
      .getByRole('link', { name })
      .evaluate((link) => getComputedStyle(link).outlineStyle)
  await expect.poll(() => filter('All')).toBe('solid')
  expect(await filter('Deposits')).toBe('none')
})
