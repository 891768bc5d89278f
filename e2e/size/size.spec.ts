import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { constants, gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'
import { startEmptyPage } from './empty-page.ts'
import { firstLoad, type Weight } from './first-load.ts'

/** Every kind of page, by its path; `session` means that it needs a session. */
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
/** What a server may send before its first wait: ten segments. */
const FIRST_BYTES = 14_600
const EMBED_SCRIPT_BYTES = 5_000
const VISIT_BYTES = 160_000
/** On a busy machine a page may fetch its data itself, and then loads the parsers of the answers. */
const PARSERS_BYTES = 15_500

interface Weights {
  readonly emptyPage: Weight
  readonly of: ReadonlyMap<string, Weight>
}

/** All pages load in parallel, because the end of a load is only found by waiting. */
const sized = test.extend<object, { weights: Weights }>({
  weights: [
    async ({ browser, stack }, use) => {
      const { url, process } = await startEmptyPage()
      const { launch_url, session_id } = await stack.cashier.api.createSession({
        user_reference_id: `user-${crypto.randomUUID()}`,
      })
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(launch_url)
      await page.waitForURL(`**/c/${session_id}**`)
      // For a user without an address, the page may load scripts that it does not load for others.
      await page.getByTestId('address').waitFor()
      const storageState = await context.storageState()
      await context.close()
      const [emptyPage, ...weights] = await Promise.all([
        firstLoad(browser, url),
        ...routes.map(async ({ path, session }) => {
          const address = stack.cashier.url + path.replace('{session}', session_id)
          return [path, await firstLoad(browser, address, session ? { storageState } : {})] as const
        }),
      ])
      await process.stop()
      await use({ emptyPage, of: new Map(weights) })
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

sized.describe.configure({ mode: 'default' })

for (const { path } of routes) {
  sized(`first load of ${path}`, ({ weights }) => {
    const weight = weights.of.get(path) ?? { script: Infinity, stylesheet: Infinity, reads: false }
    const limit = Math.floor(weights.emptyPage.script * FACTOR) + (weight.reads ? PARSERS_BYTES : 0)
    const note = `${weight.script} of ${limit} bytes of script`
    sized.info().annotations.push({ type: 'size', description: note })
    console.log(`${path}: ${note}`)

    expect(weight.script).toBeLessThanOrEqual(limit)
    // It is inside the document.
    expect(weight.stylesheet).toBe(0)
  })
}

test('the bytes of a new user’s first visit in a frame, until the address can be copied', async ({
  page,
  stack,
  createSession,
}) => {
  const scripts = new Map<string, Promise<number>>()
  const reads: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (request.resourceType() === 'fetch' && request.method() === 'GET') reads.push(url)
  })
  page.on('requestfinished', (request) => {
    const url = request.url()
    if (request.resourceType() !== 'script' || url.endsWith('/embed.js') || scripts.has(url)) return
    scripts.set(
      url,
      request.sizes().then(({ responseBodySize }) => responseBodySize),
    )
  })
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession()).launch_token,
  })
  await host.mount('cashier')
  await host.ready('cashier')
  await expect(host.cashier('cashier').getByTestId('copy-address')).toBeEnabled()
  const bytes = (await Promise.all(scripts.values())).reduce((sum, one) => sum + one, 0)
  console.log(`first visit: ${bytes} bytes of script in ${scripts.size} files; read: ${reads.join(' ')}`)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(VISIT_BYTES + (reads.length > 0 ? PARSERS_BYTES : 0))
  expect(scripts.size).toBeLessThanOrEqual(12)
})

/** The first bytes of an answer as they are sent, decompressed. */
const beginning = (url: string, headers: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { ...headers, 'accept-encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const sent = Buffer.concat(chunks).subarray(0, FIRST_BYTES)
        resolve(gunzipSync(sent, { finishFlush: constants.Z_SYNC_FLUSH }).toString())
      })
    }).on('error', reject)
  })

test('the address, its QR code and the style are in the first bytes of the document', async ({
  stack,
  createSession,
}) => {
  const { session_id, launch_token } = await createSession()
  const launched = await fetch(`${stack.cashier.url}/launch`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ launch_token }),
  })
  const cookie = launched.headers.getSetCookie()[0] ?? ''
  const page = `${stack.cashier.url}/c/${session_id}/deposit`
  // On a busy machine the first document may be sent before the gateway has told the address.
  await fetch(page, { headers: { cookie } }).then((response) => response.text())
  const html = await beginning(page, { cookie })
  const code = html.indexOf('data-qr')
  expect(code).toBeGreaterThan(html.indexOf('</style>'))
  expect(html.indexOf('</svg>', code)).toBeGreaterThan(code)
  expect(html).toMatch(/data-testid="address"/)
})

test('the script for merchants’ pages', () => {
  expect(gzipSync(readFileSync('public/embed.js')).byteLength).toBeLessThanOrEqual(EMBED_SCRIPT_BYTES)
})

sized('an empty page has a size', ({ weights }) => {
  expect(weights.emptyPage.script).toBeGreaterThan(50_000)
})
