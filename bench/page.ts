/** The deposit page's first visit on a cheap phone. The peer is an empty page of the same Next, under the same brakes. */
import { chromium, type Browser, type BrowserContextOptions } from 'playwright'
import { startStack } from '../e2e/fixtures/stack.ts'
import { startEmptyPage } from '../e2e/size/empty-page.ts'
import { chromiumArgs, findChromium } from '../scripts/chromium.ts'
import type { Row } from './table.ts'

const VISITS = 7

interface Times {
  /** Milliseconds from the navigation's start. */
  readonly load: number
  /** Of the largest thing on the first screen: with an address known, its QR code or its warning. 0 where there is none. */
  readonly largest: number
}

/** One visit with an empty cache: a quarter of this machine's speed, 1.6 Mbit/s and 150 ms there and back. */
async function visit(browser: Browser, url: string, as: BrowserContextOptions): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, ...as })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const bytesASecond = 1_600_000 / 8
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: bytesASecond,
      uploadThroughput: bytesASecond / 2,
    })
    await page.goto(url, { waitUntil: 'load' })
    return await page.evaluate(
      () =>
        new Promise<Times>((resolve) => {
          const [navigation] = performance.getEntriesByType('navigation')
          let largest = 0
          new PerformanceObserver((list) => {
            largest = list.getEntries().at(-1)?.startTime ?? largest
          }).observe({ type: 'largest-contentful-paint', buffered: true })
          setTimeout(() => resolve({ load: navigation?.duration ?? 0, largest }), 500)
        }),
    )
  } finally {
    await context.close()
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

export async function page(): Promise<readonly Row[]> {
  const executablePath = await findChromium()
  const stack = await startStack()
  const empty = await startEmptyPage()
  const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] })
  try {
    // A first visit fixes the address, and gives the cookie.
    const session = await stack.cashier.api.createSession({ user_reference_id: 'bench' })
    const first = await browser.newContext()
    const opened = await first.newPage()
    await opened.goto(session.launch_url)
    await opened.getByTestId('address').waitFor()
    const url = opened.url()
    const storageState = await first.storageState()
    await first.close()

    const ours: Times[] = []
    const theirs: Times[] = []
    for (let at = 0; at < VISITS; at += 1) {
      ours.push(await visit(browser, url, { storageState }))
      theirs.push(await visit(browser, empty.url, {}))
    }
    const peer = median(theirs.map(({ load }) => load))
    return [
      { what: 'ms to the first screen, slow phone', ours: median(ours.map(({ largest }) => largest)), peer },
      { what: 'ms to the load event, slow phone', ours: median(ours.map(({ load }) => load)), peer },
    ]
  } finally {
    await browser.close()
    await empty.process.stop()
    await stack.stop()
  }
}
