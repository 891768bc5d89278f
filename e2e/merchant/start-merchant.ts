import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { createCashierClient } from './cashier-client.ts'
import { createFeed } from './feed.ts'
import { createHooks } from './hooks.ts'
import { createListener } from './routes.ts'
import type { Settings } from './settings.ts'
import { shopPage, shopPolicy } from './shop-page.ts'

const site = (file: string): string => fileURLToPath(new URL(`site/${file}`, import.meta.url))

async function pageScript(): Promise<string> {
  const { outputFiles } = await build({ entryPoints: [site('shop.ts')], bundle: true, format: 'esm', write: false })
  return outputFiles[0]?.text ?? ''
}

export interface Merchant {
  readonly url: string
  stop(): Promise<void>
}

/** @throws the system's error where the port cannot be had (`code` is `EADDRINUSE` where it is taken) */
export async function startMerchant(settings: Settings): Promise<Merchant> {
  const { CASHIER_URL: cashierUrl, SANDBOX_URL: sandboxUrl, MERCHANT_HOST: host } = settings
  const files: [string, readonly [string, string | Uint8Array]][] = [
    ['/', ['text/html; charset=utf-8', shopPage({ cashierUrl, sandboxUrl })]],
    ['/shop.js', ['text/javascript; charset=utf-8', await pageScript()]],
    ['/shop.css', ['text/css; charset=utf-8', await readFile(site('shop.css'))]],
    ['/icon.svg', ['image/svg+xml', await readFile(site('icon.svg'))]],
    ['/favicon.ico', ['image/svg+xml', await readFile(site('icon.svg'))]],
  ]
  const client = createCashierClient(cashierUrl, settings.MERCHANT_API_KEY)
  const server = createServer().listen(settings.MERCHANT_PORT, host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : settings.MERCHANT_PORT
  const url = `http://${host}:${port}`

  const listener = createListener({
    client,
    feed: createFeed(client),
    hooks: createHooks(settings.MERCHANT_WEBHOOK_SECRET, settings.MERCHANT_DECISION),
    returnUrl: `${url}/`,
    files: new Map(files),
  })
  const headers = Object.entries(shopPolicy(cashierUrl))
  server.on('request', (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    // By another name this page would be of another origin, one that may not hold the cashier.
    if (request.url === '/' && request.headers.host !== `${host}:${port}`)
      response.writeHead(307, { location: url }).end()
    else listener(request, response)
  })

  return {
    url,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}
