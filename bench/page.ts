/**
 * A new user's first visit of the deposit page, in a frame on a merchant's page. The peer is a client-only React page
 * in the same frame (client-page.tsx). Both run on a slow phone, whose line is shaped below the browser
 * (shaped-line.ts), and on a fast line, with an empty cache.
 */
import { Hono } from 'hono'
import { chromium, type Browser, type Page } from 'playwright'
import { serveLocally, type LocalServer } from '../e2e/fixtures/serve-locally.ts'
import { startStack, type Stack } from '../e2e/fixtures/stack.ts'
import { chromiumArgs, findChromium } from '../scripts/chromium.ts'
import { serveClientPage } from './client-page-server.ts'
import { median } from './rounds.ts'
import { openShapedLine, type SlowLine } from './shaped-line.ts'
import type { Row } from './table.ts'

const VISITS = 7
/** One process for all frames, so that the throttling applies to each. */
const ONE_PROCESS = ['--disable-features=IsolateOrigins,site-per-process', '--disable-site-isolation-trials']

interface Device {
  readonly name: string
  /** How many times slower than this machine's processor. */
  readonly cpu: number
  /** None: straight to the servers. */
  readonly line: SlowLine | null
}
const SLOW: Device = { name: 'slow phone', cpu: 4, line: { roundTripMs: 150, down: 1_600_000 / 8 } }
const FAST: Device = { name: 'fast line', cpu: 1, line: null }

interface Visit {
  /** Milliseconds from the creation of the frame to its first content; on our page that is the waiting screen. */
  readonly paint: number
  /** Milliseconds until the first content of the page with the QR code. */
  readonly pagePaint: number
  readonly qr: number
  readonly shift: number
  /** Compressed bytes of the scripts in the frame: those that came before a press copied the address, and all. */
  readonly bytesToCopy: number
  readonly bytes: number
  readonly requests: number
}

declare global {
  interface Window {
    bench: { mounted: number; qr: number; paint: number; shift: number; copied: number; ready: boolean }
    benchPaint: (ms: number) => Promise<void>
  }
}

/**
 * Runs in every frame: records the time of the QR code, the bytes of the scripts that had come when a press copied the
 * address, the first contentful paint, and layout shifts.
 */
function watch(): void {
  window.bench = { mounted: 0, qr: 0, paint: 0, shift: 0, copied: -1, ready: false }
  navigator.clipboard.writeText = () => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = files.filter(({ initiatorType, name }) => initiatorType === 'script' || /[.]js$/.test(name))
    window.bench.copied = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    return Promise.resolve()
  }
  const press = (): void => {
    if (window.bench.copied !== -1) return
    document.querySelector<HTMLElement>('[data-copy], main > button:enabled')?.click()
    setTimeout(press, 20)
  }
  let isPainting = false
  /** The paint follows the callbacks of its frame. */
  const paintOfPage = (): void => {
    if (isPainting) return
    isPainting = true
    setTimeout(() => (window.bench.paint = performance.timeOrigin + performance.now()))
  }
  const look = (): void => {
    // /embed writes our page into its own document, whose first paint was the waiting screen.
    if (location.pathname.startsWith('/c/') && document.querySelector('main')) paintOfPage()
    const code = document.querySelector('svg[data-qr]')
    if (code && code.getClientRects().length > 0) {
      window.bench.qr = performance.timeOrigin + performance.now()
      press()
    } else requestAnimationFrame(look)
  }
  if (window.parent !== window) look()
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === 'first-contentful-paint') {
        const first = performance.timeOrigin + entry.startTime
        if (!isPainting) window.bench.paint = first
        if (window.parent !== window) void window.benchPaint(first)
      }
  }).observe({ type: 'paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) window.bench.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Measures one visit. `ready` waits until the page in the frame can be used. */
async function visit(
  browser: Browser,
  { cpu, line }: Device,
  url: string,
  ready: (page: Page) => Promise<unknown>,
): Promise<Visit> {
  const shaped = line && (await openShapedLine(line))
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    reducedMotion: 'reduce',
    // Otherwise the browser goes straight to servers of its own machine.
    ...(shaped && { proxy: { server: shaped.url, bypass: '<-loopback>' } }),
  })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
    const scripts = new Set<string>()
    let bytes = 0
    devtools.on('Network.requestWillBeSent', ({ type, requestId, request }) => {
      if (type === 'Script' && !request.url.includes('/embed.js')) scripts.add(requestId)
    })
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength
    })
    const paints: number[] = []
    await page.exposeFunction('benchPaint', (ms: number) => void paints.push(ms))
    await page.addInitScript(watch)
    await page.goto(url)
    await ready(page)
    await page
      .frames()
      .at(-1)
      ?.waitForFunction(() => window.bench.copied !== -1)
    const [pagePaint, requests] = [await latest(page, 'paint'), scripts.size]
    const loaded = bytes
    await page.waitForTimeout(500)
    const origin = await page.evaluate(() => window.bench.mounted)
    const shifts = await Promise.all(page.frames().map((frame) => frame.evaluate(() => window.bench.shift)))
    const shift = shifts.reduce((sum, one) => sum + one, 0)
    return {
      paint: Math.min(...paints) - origin,
      pagePaint: pagePaint - origin,
      qr: (await latest(page, 'qr')) - origin,
      shift,
      bytesToCopy: await latest(page, 'copied'),
      bytes: loaded,
      requests,
    }
  } finally {
    await context.close()
    shaped?.close()
  }
}

const latest = async (page: Page, what: 'qr' | 'paint' | 'copied'): Promise<number> =>
  (await page
    .frames()
    .at(-1)
    ?.evaluate((what) => window.bench[what], what)) ?? Number.NaN

/** Publishes a merchant's page that has `body`. */
async function publish(stack: Stack, body: string): Promise<string> {
  const html = `<!doctype html><html lang="en"><head><title>Shop</title>
<meta name="viewport" content="width=device-width,initial-scale=1"></head><body>${body}<p>Below the cashier.</p></body></html>`
  await fetch(`${stack.merchant.url}/qa/page`, { method: 'POST', body: JSON.stringify({ html, headers: {} }) })
  return `${stack.merchant.url}/qa/page`
}

/** Runs `mount` when the page is loaded, like a press of a button. */
const onceLoaded = (mount: string): string =>
  `<script>addEventListener('load', () => setTimeout(() => {
bench.mounted = performance.timeOrigin + performance.now()
${mount}
// The merchant's page makes room for the frame.
requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { bench.shift = 0 })))
}, 50))</script>`

interface Servers {
  readonly stack: Stack
  /** Answers with a launch token, as a merchant's backend does. */
  readonly backend: LocalServer
  readonly peer: string
}

async function ours(browser: Browser, device: Device, { stack, backend }: Servers): Promise<Visit> {
  const url = await publish(
    stack,
    `<div id="cashier"></div><script src="${stack.cashier.url}/embed.js"></script>${onceLoaded(`Cashier.mount('#cashier', {
  fetchLaunchToken: async () => (await fetch('${backend.url}')).text(),
  onEvent: ({ type }) => { if (type === 'ready') bench.ready = true },
})`)}`,
  )
  return visit(browser, device, url, (page) => page.waitForFunction(() => window.bench.ready))
}

async function theirs(browser: Browser, device: Device, { stack, peer }: Servers): Promise<Visit> {
  const url = await publish(
    stack,
    `<div id="peer"></div>${onceLoaded(`const frame = document.createElement('iframe')
frame.style.cssText = 'display:block;width:100%;height:600px;border:0'
frame.src = '${peer}'
document.querySelector('#peer').append(frame)`)}`,
  )
  return visit(browser, device, url, (page) => page.frameLocator('iframe').locator('svg[data-qr]').waitFor())
}

export async function page(): Promise<readonly Row[]> {
  const executablePath = await findChromium()
  const stack = await startStack({ direct: true, cashier: { RATE_LIMIT: 'off' } })
  const peer = await serveClientPage()
  const backend = await serveLocally(
    new Hono().get('*', async (context) => {
      const session = await stack.cashier.api.createSession({ user_reference_id: `bench-${crypto.randomUUID()}` })
      context.header('access-control-allow-origin', '*')
      return context.text(session.launch_token)
    }),
  )
  const servers: Servers = { stack, backend, peer: peer.url }
  const browser = await chromium.launch({ executablePath, args: [...chromiumArgs, ...ONE_PROCESS] })
  try {
    const rows: Row[] = []
    // The first visit meets a cold process and is not counted.
    await ours(browser, FAST, servers)
    for (const device of [SLOW, FAST]) {
      const own: Visit[] = []
      const others: Visit[] = []
      for (let at = 0; at < VISITS; at += 1) {
        own.push(await ours(browser, device, servers))
        others.push(await theirs(browser, device, servers))
      }
      const row = (what: string, of: (visit: Visit) => number): Row => ({
        what: `${device.name}: ${what}`,
        ours: median(own.map(of)),
        peer: median(others.map(of)),
      })
      rows.push(
        row('ms to the first paint', ({ paint }) => paint),
        row("ms to the page's first paint", ({ pagePaint }) => pagePaint),
        row('ms to the QR code', ({ qr }) => qr),
        row('layout shift', ({ shift }) => shift),
        row('kB of scripts until the address is copied', ({ bytesToCopy }) => bytesToCopy / 1000),
        row('kB of scripts', ({ bytes }) => bytes / 1000),
        row('script requests', ({ requests }) => requests),
      )
    }
    return rows
  } finally {
    await browser.close()
    peer.close()
    await backend.close()
    await stack.stop()
  }
}
