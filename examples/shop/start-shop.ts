import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { build } from 'esbuild'
import { createCallbacks } from './callbacks.ts'
import { createCashierClient } from './cashier-client.ts'
import { createFeed } from './feed.ts'
import { createApp } from './routes.ts'
import type { Settings } from './settings.ts'
import { shopPage, shopPolicy } from './shop-page.ts'

const sitePath = (file: string): string => fileURLToPath(new URL(`site/${file}`, import.meta.url))

async function pageScript(): Promise<string> {
  const { outputFiles } = await build({ entryPoints: [sitePath('shop.ts')], bundle: true, format: 'esm', write: false })
  return outputFiles[0]?.text ?? ''
}

export interface RunningShop {
  readonly url: string
  stop(): Promise<void>
}

/** @throws the system's error when it cannot listen (`code` is `EADDRINUSE` when the port is taken) */
export async function startShop(settings: Settings): Promise<RunningShop> {
  const { CASHIER_URL: cashierUrl, SANDBOX_URL: sandboxUrl, MERCHANT_HOST: host } = settings
  const icon = await readFile(sitePath('icon.svg'), 'utf8')
  const files = new Map<string, readonly [string, string]>([
    ['/', ['text/html; charset=utf-8', shopPage({ cashierUrl, sandboxUrl })]],
    ['/shop.js', ['text/javascript; charset=utf-8', await pageScript()]],
    ['/shop.css', ['text/css; charset=utf-8', await readFile(sitePath('shop.css'), 'utf8')]],
    ['/icon.svg', ['image/svg+xml', icon]],
    ['/favicon.ico', ['image/svg+xml', icon]],
  ])
  const client = createCashierClient(cashierUrl, settings.MERCHANT_API_KEY)

  const server = createServer().listen(settings.MERCHANT_PORT, host)
  await once(server, 'listening')
  // The routes need the shop's own address, which is known only now.
  const { port } = server.address() as AddressInfo
  const url = `http://${host}:${port}`
  const app = createApp({
    client,
    feed: createFeed(client),
    callbacks: createCallbacks(settings.MERCHANT_WEBHOOK_SECRET, settings.MERCHANT_DECISION),
    url,
    headers: shopPolicy(cashierUrl),
    files,
  })
  const handle = getRequestListener(app.fetch)
  server.on('request', (request, response) => void handle(request, response))
  return {
    url,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
