/** The headers of every response by kind (reasons: docs/internal/security-checklist.md). `server.ts` sets them. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'

export type ResponseKind =
  /** Rendered by Next, with a nonce. */
  | 'page'
  /** Rendered by Next, with a nonce: the pages of operators, which nobody may frame. */
  | 'console'
  /** /launch, /embed and /docs: their handlers add a policy with the hash or the nonce of their scripts. */
  | 'document'
  | 'api'
  /** The merchant's script: any site may load it. */
  | 'script'
  /** Files of the build and of public/. */
  | 'file'

export type PublicSettings = Pick<Config, 'publicUrl' | 'embedOrigins' | 'onrampOrigins'>

type HeaderTable = Readonly<Record<string, string>>

/** Without `EMBED_ORIGINS` nobody may frame the cashier. */
const framers = ({ embedOrigins }: PublicSettings): string =>
  `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : ["'self'", ...embedOrigins].join(' ')}`

/** Our own page shows the return page in the frame of the provider's page. */
const framedByOurPage = ({ embedOrigins }: PublicSettings): string =>
  `frame-ancestors ${["'self'", ...embedOrigins].join(' ')}`

const RETURN_PAGE = '/onramp/return'

/** The nonce of a page's scripts and styles. */
export const newNonce = (): string => randomBytes(16).toString('base64')

/** A nonce as `newNonce` makes it. */
export const isNonce = (text: string): boolean => /^[A-Za-z0-9+/]{22}==$/.test(text)

/** The policy of a page of Next. `strict-dynamic` lets scripts with the nonce load the build's other scripts. */
export function pagePolicy(facts: PublicSettings, nonce: string, dev: boolean, pathname = ''): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    // In development Next adds styles by script, without the nonce.
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // React writes style attributes into the HTML that it renders on the server; an attribute runs no script.
    "style-src-attr 'unsafe-inline'",
    // Icons of currencies come from the gateway's hosts.
    "img-src 'self' https: data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws: wss:' : ''}`,
    // The frame of the provider's page later shows our own return page.
    `frame-src ${["'self'", ...facts.onrampOrigins].join(' ')}`,
    "worker-src 'none'",
    "manifest-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    pathname === RETURN_PAGE ? framedByOurPage(facts) : framers(facts),
  ].join('; ')
}

/** The policy of the console's pages: nothing from elsewhere, and no frame around them. */
export function consolePolicy(nonce: string, dev: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws: wss:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** What a small document of ours may use; anything left out is forbidden. */
export interface DocumentNeeds {
  /** Hashes of its inline scripts and styles. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** Its calls to us: `form` posts a form, `fetch` makes calls. */
  readonly posts?: 'form' | 'fetch'
  /** False: nobody may frame it. By default `EMBED_ORIGINS` may. */
  readonly framed?: boolean
}

/** The policy of a small document of ours, by hashes. */
export function documentPolicy(facts: PublicSettings, needs: DocumentNeeds): string {
  const sources = (hashes: readonly string[]): string => hashes.map((hash) => `'${hash}'`).join(' ') || "'none'"
  return [
    "default-src 'none'",
    `script-src ${sources(needs.scripts)}`,
    `style-src ${sources(needs.styles)}`,
    ...(needs.posts === 'fetch' ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${needs.posts === 'fetch' ? "'none'" : "'self'"}`,
    needs.framed === false ? "frame-ancestors 'none'" : framers(facts),
  ].join('; ')
}

/**
 * Delegates the features that identity checks and payments need to the providers' origins, and nothing else. Our own page
 * scans addresses with the camera.
 */
export function permissionsPolicy({ onrampOrigins }: PublicSettings): string {
  const any = onrampOrigins.includes('https:')
  const origins = onrampOrigins.map((one) => ` "${one}"`).join('')
  const toProviders = any ? '*' : onrampOrigins.length === 0 ? '()' : `(self${origins})`
  const shared = any ? '*' : `(self${origins})`
  const none = [
    'geolocation',
    'usb',
    'serial',
    'hid',
    'midi',
    'display-capture',
    'publickey-credentials-get',
    'browsing-topics',
  ]
  return [
    ...['microphone', 'payment'].map((feature) => `${feature}=${toProviders}`),
    ...['camera', 'clipboard-write'].map((feature) => `${feature}=${shared}`),
    'clipboard-read=(self)',
    ...none.map((feature) => `${feature}=()`),
  ].join(', ')
}

const API_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
/** `same-origin` hides our URLs from other sites, and still lets our own forms send their `Origin`. */
const DOCUMENT: HeaderTable = {
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
}

/** An operator signs in by a passkey; nothing else of the device is needed. */
const CONSOLE: HeaderTable = {
  ...DOCUMENT,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), camera=(), microphone=(), payment=(), geolocation=()',
}

const BY_KIND: Readonly<Record<ResponseKind, HeaderTable>> = {
  page: DOCUMENT,
  console: CONSOLE,
  document: DOCUMENT,
  api: {
    'content-security-policy': API_POLICY,
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  },
  script: {
    // The script is public, and a page that pins its hash must fetch it by CORS.
    'access-control-allow-origin': '*',
    'content-security-policy': API_POLICY,
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'cross-origin',
  },
  file: {
    'content-security-policy': API_POLICY,
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  },
}

/** All fixed headers of a kind; a page also gets its policy with its nonce. */
export function fixedHeaders(facts: PublicSettings, kind: ResponseKind): readonly (readonly [string, string])[] {
  const secure = facts.publicUrl.startsWith('https:')
  return Object.entries({
    'x-content-type-options': 'nosniff',
    ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    ...((kind === 'page' || kind === 'document') && { 'permissions-policy': permissionsPolicy(facts) }),
    ...BY_KIND[kind],
  })
}
