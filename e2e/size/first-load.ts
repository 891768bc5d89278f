import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions } from 'playwright/test'

/** Compressed bytes over the network, by kind. */
export interface Weight {
  readonly script: number
  readonly stylesheet: number
  /** Whether the page fetched data itself, and loaded the parsers of the answers. */
  readonly reads: boolean
}

/** Longer than a late chunk needs on a busy machine, shorter than the interval of the page's polls. */
const REST_MS = 3000

const kinds = ['script', 'stylesheet'] as const

/**
 * Measures what a browser with an empty cache loads for one URL, including prefetching, until no more arrives, without
 * any input. The event stream stays open, so it does not show the end of the load.
 */
export async function firstLoad(browser: Browser, url: string, as: BrowserContextOptions = {}): Promise<Weight> {
  const context = await browser.newContext(as)
  try {
    const page = await context.newPage()
    const weight = { script: 0, stylesheet: 0, reads: false }
    const seen: Promise<void>[] = []
    let lastMs = performance.now()
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'fetch' && request.method() === 'GET') weight.reads = true
      const kind = kinds.find((one) => one === request.resourceType())
      if (kind === undefined) return
      lastMs = performance.now()
      seen.push(
        request.sizes().then(({ responseBodySize }) => {
          weight[kind] += responseBodySize
        }),
      )
    })
    const response = await page.goto(url, { waitUntil: 'load' })
    if (response?.ok() !== true) throw new Error(`${url} answered ${response?.status() ?? 'nothing'}`)
    lastMs = performance.now()
    while (performance.now() - lastMs < REST_MS) await sleep(100)
    await Promise.all(seen)
    return weight
  } finally {
    await context.close()
  }
}
