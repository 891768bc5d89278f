import { randomUUID, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { sendRequest } from './send-request.ts'
import type { HttpResponse } from './send-request.ts'

export interface GatewayAddress {
  readonly baseUrl: string
  readonly apiKey: string
  readonly privateKey: KeyObject
  readonly signQuery: 'bare' | 'question-mark'
}

export type Headers = Record<string, string | readonly string[]>

/** How a call differs from a valid one. */
export interface CallOverrides {
  readonly nonce?: string
  /** The text of the body, if it is not compact JSON. */
  readonly rawBody?: string
  /** Signed instead of the body without white space. */
  readonly signedBody?: string
  readonly signedPath?: string
  readonly signedNonce?: string
  readonly query?: string
  readonly signedQuery?: string
  readonly key?: KeyObject
  /** Applied to the headers last. */
  readonly headers?: (headers: Headers) => Headers
}

export type CallGateway = (
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  overrides?: CallOverrides,
) => Promise<HttpResponse>

/** Spec, Signing steps. */
export function gatewayCaller(address: GatewayAddress): CallGateway {
  return (method, path, body, overrides = {}) => {
    const text = overrides.rawBody ?? (body === undefined ? '' : JSON.stringify(body))
    const nonce = overrides.nonce ?? randomUUID()
    const query = overrides.query ?? ''
    const url = new URL(`${address.baseUrl}${path}${query === '' ? '' : `?${query}`}`)
    const mark = query !== '' && address.signQuery === 'question-mark' ? '?' : ''
    const canonical = [
      method,
      overrides.signedPath ?? url.pathname,
      overrides.signedNonce ?? nonce,
      overrides.signedQuery ?? mark + query,
      overrides.signedBody ?? text.replace(/\s/g, ''),
    ].join('')
    const headers: Headers = {
      'X-API-Key': address.apiKey,
      'X-API-Nonce': nonce,
      'X-API-Signature': sign('sha256', Buffer.from(canonical), overrides.key ?? address.privateKey).toString('base64'),
      ...(text === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }),
    }
    return sendRequest({ method, url, headers: overrides.headers?.(headers) ?? headers, body: text })
  }
}
