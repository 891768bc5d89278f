/**
 * Starts Chromium by Playwright, with its usual settings. Its pages already have the interface of the other engines.
 */
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

  /** Renames a download when it is complete. */
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
      // Listens only now, because no page opened the first page.
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
      // The new page starts with `about:blank`, which is replaced: actions in it would be lost.
      await page.waitForLoadState()
      return page
    },
    async stop() {
      await browser.close()
    },
  }
}
