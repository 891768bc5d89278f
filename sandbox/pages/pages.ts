import { Hono } from 'hono'
import type { Context } from '../context.ts'
import { currencyIcon, networkIcon } from '../currencies/icons.ts'
import { headerOf } from '../http/incoming.ts'
import type { RequestEnv } from '../http/request-env.ts'
import { respond, respondJson } from '../http/respond.ts'
import { sandboxOpenApi } from '../openapi/document.ts'
import { asset } from './assets.ts'
import { controlPage } from './control-page.ts'
import { explorerPage } from './explorer-page.ts'
import { escaped, htmlPage } from './html.ts'
import { widgetAction } from './widget-action.ts'
import { widgetPage } from './widget-page.ts'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** A page may run its own script only. `framing` says who may frame it. */
const page = (html: string, framing: "'none'" | '*', status = 200): Response =>
  respond(
    status,
    {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${POLICY}; frame-ancestors ${framing}`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    html,
  )

/** Any page may show an icon. */
const icon = (svg: string): Response =>
  respond(
    200,
    { 'cache-control': 'public, max-age=86400', 'access-control-allow-origin': '*', 'content-type': 'image/svg+xml' },
    svg,
  )

/** The page of a `link_external_wallet` link. The spec does not describe the page, so it only shows the address. */
const walletPage = (address: string): string =>
  htmlPage({
    title: 'External wallet',
    style: 'widget',
    theme: 'auto',
    body: `<main class="card"><h1>Deposit from your wallet</h1><p>Send to this address:</p><p class="address">${escaped(address)}</p></main>`,
  })

/** The same sandbox under its other loopback name, for a request to `localhost`; null for other requests. */
function otherOrigin(host: string): string | null {
  const [, port] = /^localhost:(\d+)$/.exec(host) ?? []
  return port === undefined ? null : `http://127.0.0.1:${port}`
}

const nameOf = (file: string): string => file.slice(0, -'.svg'.length)

/** Everything for browsers: pages, their assets, icons, and the widget's steps. */
export function pages(context: Context): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>()
  app.get('/', () => respond(302, { location: '/control' }, ''))
  app.get('/openapi.json', () => respondJson(200, sandboxOpenApi(context), { 'access-control-allow-origin': '*' }))
  app.get('/control', () => page(controlPage(), "'none'"))
  app.get('/wallet/:address', (c) => page(walletPage(c.req.param('address')), '*'))
  app.get('/explorer/:network/:hash', (c) => {
    const { html, found } = explorerPage(c.req.param('network'), c.req.param('hash'), context)
    return page(html, "'none'", found ? 200 : 404)
  })
  app.get('/widget/:token', (c) => {
    const elsewhere =
      context.modes.read().widget_redirect === 'on' ? otherOrigin(headerOf(c.var.incoming, 'host')) : null
    if (elsewhere !== null) return respond(302, { location: `${elsewhere}/widget/${c.req.param('token')}` }, '')
    const html = widgetPage(c.req.param('token'), context)
    return html === null ? c.notFound() : page(html, '*')
  })
  app.post('/widget/:token/:action', (c) => {
    const { token, action } = c.req.param()
    return widgetAction(token, action, c.var.incoming, context)
  })
  app.get('/icons/network/:file{.+\\.svg}', (c) => {
    const svg = networkIcon(nameOf(c.req.param('file')))
    return svg === null ? c.notFound() : icon(svg)
  })
  app.get('/icons/:file{.+\\.svg}', (c) => icon(currencyIcon(nameOf(c.req.param('file')))))
  app.get('/assets/:name', async (c) => {
    const found = await asset(c.req.param('name'))
    return found ? respond(200, { 'content-type': found.type }, found.text) : c.notFound()
  })
  return app
}
