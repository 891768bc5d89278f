/**
 * A cashier and a shop on two sites over TLS, as on the internet. Each `*.localhost` is a separate site and resolves to
 * this machine. Without TLS, no engine treats it as a secure origin.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, request as httpRequest, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { freePort } from '../../scripts/free-port.ts'
import type { SessionOptions } from '../fixtures/merchant-api.ts'
import { type Stack, startStack } from '../fixtures/stack.ts'

/** Options of the session for which a mount's `fetchLaunchToken` gets a token. */
type SessionOf = (mount: string) => SessionOptions

export interface Sites {
  readonly stack: Stack
  /** The shop's page. It has `#left` and `#right`, where `openCashier(name, appearance)` mounts a cashier. */
  readonly shopUrl: string
  readonly cashierUrl: string
  /** Sessions that the shop created, oldest first. */
  readonly sessions: string[]
  /** What the shop answers from now on. */
  useSession(sessionOf: SessionOf): void
  /** Acts like a browser that accepts no cookie in a frame: removes `Set-Cookie` from the answers. */
  refuseCookies(refused: boolean): void
  stop(): Promise<void>
}

interface Certificate {
  readonly key: string
  readonly cert: string
}

function selfSigned(names: readonly string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = [
    '-subj',
    '/CN=cashier test',
    '-addext',
    `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`,
  ]
  const form = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...form, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  return made
}

interface Site {
  close(): Promise<void>
}

async function serve(certificate: Certificate, port: number, answer: RequestListener): Promise<Site> {
  const server = createServer(certificate, answer)
  // Also those without a request: a browser connects in advance, and a server waits two minutes for the handshake.
  const sockets = new Set<Duplex>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server.listen(port, 'localhost'), 'listening')
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** A reverse proxy to a server on this machine. */
const passOn =
  (
    port: string,
    change: (headers: IncomingHttpHeaders) => IncomingHttpHeaders = (headers) => headers,
  ): RequestListener =>
  (request, response) => {
    const { method, url, headers } = request
    const upstream = httpRequest({ host: 'localhost', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, change(answer.headers))
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    response.on('close', () => upstream.destroy())
    request.pipe(upstream)
  }

const shopPage = (cashierUrl: string): string => `<!doctype html><html lang="en"><head><title>Shop</title>
<script src="${cashierUrl}/embed.js"></script></head>
<body><div id="left"></div><div id="right"></div><textarea aria-label="Notes"></textarea><script>
var cashierEvents = [], mounts = {}
function openCashier(name, appearance) {
  mounts[name] = Cashier.mount('#' + name, {
    ...appearance,
    fetchLaunchToken: async () => (await fetch('/token?mount=' + name)).text(),
    onEvent: (event) => cashierEvents.push({ name, event }),
  })
}
</script></body></html>`

export async function startSites(): Promise<Sites> {
  const ports = { cashier: await freePort(), shop: await freePort(), provider: await freePort() }
  const url = (name: keyof typeof ports): string => `https://${name}.localhost:${ports[name]}`
  const certificate = selfSigned(Object.keys(ports).map((name) => `${name}.localhost`))
  const stack = await startStack({
    cashier: {
      PUBLIC_URL: url('cashier'),
      EMBED_ORIGINS: url('shop'),
      ONRAMP_ORIGINS: url('provider'),
      WITHDRAWAL_CONFIRM_ABOVE: 'USDT=100',
    },
    sandbox: { SANDBOX_PUBLIC_URL: url('provider') },
  })
  const state = { sessionOf: ((mount) => ({ user_reference_id: mount })) as SessionOf, refused: false }
  const sessions: string[] = []
  const withoutRefused = ({ 'set-cookie': cookies, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders =>
    state.refused || cookies === undefined ? headers : { ...headers, 'set-cookie': cookies }
  const shop: RequestListener = (request, response) => {
    const mount = new URL(request.url ?? '', url('shop')).searchParams.get('mount')
    if (mount === null) {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(shopPage(url('cashier')))
      return
    }
    void stack.cashier.api.createSession(state.sessionOf(mount)).then(
      ({ launch_token, session_id }) => {
        sessions.push(session_id)
        response.end(launch_token)
      },
      () => response.writeHead(500).end(),
    )
  }
  const open = await Promise.all([
    serve(certificate, ports.cashier, passOn(stack.cashier.env['PORT'] ?? '', withoutRefused)),
    serve(certificate, ports.shop, shop),
    serve(certificate, ports.provider, passOn(stack.sandbox.env['SANDBOX_PORT'] ?? '')),
  ])
  return {
    stack,
    shopUrl: url('shop'),
    cashierUrl: url('cashier'),
    sessions,
    useSession: (sessionOf) => {
      state.sessionOf = sessionOf
    },
    refuseCookies: (refused) => {
      state.refused = refused
    },
    async stop() {
      await Promise.all(open.map((site) => site.close()))
      await stack.stop()
    },
  }
}
