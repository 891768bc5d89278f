import type { Browser, BrowserContextOptions } from 'playwright/test'

/** Bytes as they came over the wire, compressed, by kind. */
export interface Weight {
  readonly script: number
  readonly stylesheet: number
}

const kinds = ['script', 'stylesheet'] as const

/**
 * What a browser with an empty cache loads for one address until the network rests, prefetching included; nothing is
 * touched.
 */
export async function firstLoad(browser: Browser, url: string, as: BrowserContextOptions = {}): Promise<Weight> {
  const context = await browser.newContext(as)
  try {
    const page = await context.newPage()
    const weight = { script: 0, stylesheet: 0 }
    const seen: Promise<void>[] = []
    page.on('requestfinished', (request) => {
      const kind = kinds.find((one) => one === request.resourceType())
      if (kind === undefined) return
      seen.push(
        request.sizes().then(({ responseBodySize }) => {
          weight[kind] += responseBodySize
        }),
      )
    })
    const response = await page.goto(url, { waitUntil: 'load' })
    if (response?.ok() !== true) throw new Error(`${url} answered ${response?.status() ?? 'nothing'}`)
    await page.waitForLoadState('networkidle')
    await Promise.all(seen)
    return weight
  } finally {
    await context.close()
  }
}
