import type { ServerResponse } from 'node:http'
import type { Context } from '../context.ts'
import { currencyIcon, networkIcon } from '../currencies/icons.ts'
import type { Incoming } from '../http/incoming.ts'
import { respond } from '../http/respond.ts'
import { asset } from './assets.ts'
import { controlPage } from './control-page.ts'
import { walletPage } from './wallet-page.ts'
import { widgetAction } from './widget-action.ts'
import { widgetPage } from './widget-page.ts'

const ANYWHERE = { 'cache-control': 'public, max-age=86400', 'access-control-allow-origin': '*' }
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** A page of ours runs only its own script. The control page may not be framed; the widget is made for it. */
const pageHeaders = (framing: "'none'" | '*') => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${POLICY}; frame-ancestors ${framing}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
})

function icon(path: string): string | null {
  const match = /^\/icons\/(network\/)?([^/]+)\.svg$/.exec(path)
  if (!match) return null
  const name = decodeURIComponent(match[2] ?? '')
  return match[1] === undefined ? currencyIcon(name) : networkIcon(name)
}

function page(path: string, context: Context): { readonly html: string; readonly framing: "'none'" | '*' } | null {
  if (path === '/control') return { html: controlPage(), framing: "'none'" }
  const [, kind, name] = /^\/(widget|wallet)\/([^/]+)$/.exec(path) ?? []
  if (kind === 'wallet' && name !== undefined) return { html: walletPage(decodeURIComponent(name)), framing: '*' }
  const html = kind === 'widget' && name !== undefined ? widgetPage(name, context) : null
  return html === null ? null : { html, framing: '*' }
}

/** Everything that a person or a browser asks for: pages, their assets, icons, steps of the widget. */
export async function pageRequest(incoming: Incoming, response: ServerResponse, context: Context): Promise<void> {
  const { path, method } = incoming
  if (method === 'POST') {
    widgetAction(incoming, response, context)
    return
  }
  if (path === '/') {
    respond(response, 302, { location: '/control' }, '')
    return
  }
  const drawn = icon(path)
  if (drawn !== null) {
    respond(response, 200, { ...ANYWHERE, 'content-type': 'image/svg+xml' }, drawn)
    return
  }
  const served = path.startsWith('/assets/') ? await asset(path.slice('/assets/'.length)) : null
  if (served) {
    respond(response, 200, { 'content-type': served.type }, served.text)
    return
  }
  const found = page(path, context)
  if (found) respond(response, 200, pageHeaders(found.framing), found.html)
  else
    respond(
      response,
      404,
      { 'content-type': 'text/plain; charset=utf-8' },
      'There is no such page. The control page is at /control.',
    )
}
