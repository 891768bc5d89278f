/** Chromium by Playwright, as it is installed; its pages have the interface of the other engines by themselves. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Download, type Page } from 'playwright'
import { chromiumArgs, chromiumPath } from '../../scripts/chromium.ts'
import { type Engine, WINDOW } from './engine.ts'
import { PATIENCE_MS, untilDone } from './eventually.ts'

export async function startChromium(downloads: string): Promise<Engine> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArgs] })
  let context: BrowserContext | undefined
  let opened: Page[] = []

  /** Under its name once it is complete. */
  const save = async (download: Download): Promise<void> => {
    const file = join(downloads, download.suggestedFilename())
    await download.saveAs(`${file}.part`)
    renameSync(`${file}.part`, file)
  }
  return {
    name: 'chromium',
    downloads,
    async open(url) {
      await context?.close()
      opened = []
      context = await browser.newContext({
        ignoreHTTPSErrors: true,
        viewport: WINDOW,
        locale: 'en-GB',
        timezoneId: 'UTC',
      })
      context.setDefaultTimeout(PATIENCE_MS)
      const page = await context.newPage()
      page.on('download', (download) => void save(download))
      // Only now: the first page is not one that a page opened.
      context.on('page', (other) => {
        opened.push(other)
        other.on('download', (download) => void save(download))
      })
      await page.goto(url)
      return page
    },
    async openedPage() {
      await untilDone(
        () => Promise.resolve(opened.length),
        (count) => count > 0,
      )
      const page = opened.shift()
      if (page === undefined) throw new Error('no page was opened')
      // Its `about:blank` is replaced once: what was begun in it would be lost.
      await page.waitForLoadState()
      return page
    },
    async stop() {
      await browser.close()
    },
  }
}
