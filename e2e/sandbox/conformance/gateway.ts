import { randomUUID, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { send } from './wire.ts'
import type { Answer } from './wire.ts'

export interface GatewayAddress {
  readonly baseUrl: string
  readonly apiKey: string
  readonly privateKey: KeyObject
  readonly signQuery: 'bare' | 'question-mark'
}

export type Headers = Record<string, string | readonly string[]>

/** How a call departs from a proper one. */
export interface Tweak {
  readonly nonce?: string
  /** The body as it is sent, when it is not compact JSON. */
  readonly rawBody?: string
  /** What is signed instead of the body without white space. */
  readonly signedBody?: string
  readonly signedPath?: string
  readonly signedNonce?: string
  readonly query?: string
  readonly signedQuery?: string
  readonly key?: KeyObject
  /** The last word on the headers. */
  readonly headers?: (headers: Headers) => Headers
}

export type CallGateway = (method: 'GET' | 'POST', path: string, body?: unknown, tweak?: Tweak) => Promise<Answer>

/** Spec, Signing steps. */
export function gatewayCaller(address: GatewayAddress): CallGateway {
  return (method, path, body, tweak = {}) => {
    const text = tweak.rawBody ?? (body === undefined ? '' : JSON.stringify(body))
    const nonce = tweak.nonce ?? randomUUID()
    const query = tweak.query ?? ''
    const url = new URL(`${address.baseUrl}${path}${query === '' ? '' : `?${query}`}`)
    const mark = query !== '' && address.signQuery === 'question-mark' ? '?' : ''
    const canonical = [
      method,
      tweak.signedPath ?? url.pathname,
      tweak.signedNonce ?? nonce,
      tweak.signedQuery ?? mark + query,
      tweak.signedBody ?? text.replace(/\s/g, ''),
    ].join('')
    const headers: Headers = {
      'X-API-Key': address.apiKey,
      'X-API-Nonce': nonce,
      'X-API-Signature': sign('sha256', Buffer.from(canonical), tweak.key ?? address.privateKey).toString('base64'),
      ...(text === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }),
    }
    return send({ method, url, headers: tweak.headers?.(headers) ?? headers, body: text })
  }
}
