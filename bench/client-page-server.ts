/** Serves the peer page of bench/page.ts, gzipped and cacheable like our page, with a backend that answers at once. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const STYLE = `body{margin:0;font:15px/1.45 system-ui}main{max-width:34rem;margin:auto;padding:20px}
.code{width:240px;height:240px}h1{font-size:18px}p{min-height:44px;overflow-wrap:anywhere}`

async function script(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
    entryPoints: ['client-page.tsx'],
    bundle: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

export async function serveClientPage(): Promise<{ readonly url: string; close(): void }> {
  const currencies = ['BTC Bitcoin', 'ETH Ethereum', 'USDT Tron', 'USDT Ethereum'].map((name, at) => {
    const [currency_code, network] = name.split(' ')
    return { id: String(at), currency_code, network }
  })
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Peer</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style>
<script type="module" src="/main.js"></script></head><body><div id="root"></div></body></html>`
  const files: Readonly<Record<string, readonly [type: string, body: Buffer]>> = {
    '/': ['text/html', gzipSync(html)],
    '/main.js': ['text/javascript', gzipSync(await script())],
    '/currencies': ['application/json', gzipSync(JSON.stringify({ currencies }))],
    '/deposit-addresses': [
      'application/json',
      gzipSync(JSON.stringify({ address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' })),
    ],
  }
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['text/plain', gzipSync('none')]
    response
      .writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', 'content-length': body.length })
      .end(body)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
