import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions } from 'playwright/test'

/** Bytes as they came over the wire, compressed, by kind. */
export interface Weight {
  readonly script: number
  readonly stylesheet: number
  /** The page asked for data by itself, and loaded the parsers of the answers. */
  readonly reads: boolean
}

/** Longer than a late chunk takes on a busy machine, shorter than the page's own polls. */
const REST_MS = 3000

const kinds = ['script', 'stylesheet'] as const

/**
 * What a browser with an empty cache loads for one address until no more of it comes, prefetching included; nothing is
 * touched. The event stream stays open and says nothing of rest.
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
