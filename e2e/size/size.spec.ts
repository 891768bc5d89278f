import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from '../fixtures/test.ts'
import { startEmptyPage } from './empty-page.ts'
import { firstLoad, type Weight } from './first-load.ts'

/** Every kind of page, by its address; `session` needs one. */
const routes = [
  { path: '/c/{session}', session: true },
  { path: '/c/{session}/deposit', session: true },
  { path: '/c/{session}/withdraw', session: true },
  { path: '/c/{session}/buy', session: true },
  { path: '/c/{session}/history', session: true },
  { path: '/onramp/return', session: false },
  { path: '/embed', session: false },
]

const FACTOR = 1.25
const STYLESHEET_BYTES = 15_000
const EMBED_SCRIPT_BYTES = 5_000

const sized = test.extend<object, { emptyPage: Weight }>({
  emptyPage: [
    async ({ browser }, use) => {
      const { url, process } = await startEmptyPage()
      const weight = await firstLoad(browser, url)
      await process.stop()
      await use(weight)
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

sized.describe.configure({ mode: 'default' })

for (const { path, session } of routes) {
  sized(`first load of ${path}`, async ({ browser, stack, createSession, emptyPage }) => {
    const made = session ? await createSession() : undefined
    const context = await browser.newContext()
    if (made !== undefined) {
      const page = await context.newPage()
      await page.goto(made.launch_url)
      await page.waitForURL(`**/c/${made.session_id}**`)
    }
    const storageState = await context.storageState()
    await context.close()

    const url = stack.cashier.url + path.replace('{session}', made?.session_id ?? '')
    const weight = await firstLoad(browser, url, { storageState })
    const limit = Math.floor(emptyPage.script * FACTOR)
    const note = `${weight.script} of ${limit} bytes of script, ${weight.stylesheet} of ${STYLESHEET_BYTES} of style`
    sized.info().annotations.push({ type: 'size', description: note })
    console.log(`${path}: ${note}`)

    expect(weight.script).toBeLessThanOrEqual(limit)
    expect(weight.stylesheet).toBeLessThanOrEqual(STYLESHEET_BYTES)
  })
}

test('the merchant-page script', () => {
  expect(gzipSync(readFileSync('public/embed.js')).byteLength).toBeLessThanOrEqual(EMBED_SCRIPT_BYTES)
})

sized('an empty page weighs something', ({ emptyPage }) => {
  expect(emptyPage.script).toBeGreaterThan(50_000)
})
