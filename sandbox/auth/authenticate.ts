import { verify } from 'node:crypto'
import type { Merchant } from '../state/merchants.ts'
import { canonicalText } from './canonical.ts'
import type { QueryForm, SignedRequest } from './canonical.ts'
import type { AuthErrorName } from './auth-errors.ts'

/** A request as received. Each header has the list of its values, so that repeated headers are visible. */
export interface PresentedRequest extends Omit<SignedRequest, 'nonce'> {
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
}

export interface AuthOptions {
  readonly merchantOf: (apiKey: string) => Merchant | null
  /** Marks the nonce as used; false if it was used before. */
  readonly takeNonce: (merchant: Merchant, nonce: string) => boolean
  readonly queryForms: readonly QueryForm[]
  readonly nowMs: number
  /** Applied to the body before the signature is verified. */
  readonly normalise: (body: string) => string
  /** Rules that a deliberately faulty sandbox does not apply. */
  readonly skipped: ReadonlySet<AuthErrorName>
}

export type AuthResult =
  { readonly merchant: Merchant } | { readonly refusal: AuthErrorName; readonly merchant: Merchant | null }

const SHORTEST_NONCE = 16
const LONGEST_NONCE = 255
const NONCE_CHARACTERS = /^[A-Za-z0-9._~:+/=-]+$/
const STANDARD_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const TIMESTAMP_TOLERANCE_S = 300

function expired(timestamp: string | null, nowMs: number): boolean {
  if (timestamp === null) return false
  return !/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > TIMESTAMP_TOLERANCE_S
}

function isSigned(request: SignedRequest, signature: string, merchant: Merchant, parts: AuthOptions): boolean {
  if (!STANDARD_BASE64.test(signature)) return false
  const bytes = Buffer.from(signature, 'base64')
  return parts.queryForms.some((form) =>
    verify('sha256', Buffer.from(canonicalText(request, form, parts.normalise)), merchant.key, bytes),
  )
}

/**
 * Spec, Authentication. The first rule that fails decides. A nonce counts as used only when its request has a valid
 * signature, so that other people cannot use up a merchant's nonces.
 */
export function authenticate(presented: PresentedRequest, parts: AuthOptions): AuthResult {
  const lines = (name: string): readonly string[] => presented.headers[name] ?? []
  const nonces = lines('x-api-nonce').flatMap((line) => line.split(','))
  const nonce = (nonces[0] ?? '').trim()
  const apiKey = lines('x-api-key').join(', ')
  const signature = lines('x-api-signature').join(', ')
  const merchant = parts.merchantOf(apiKey)

  const rules: readonly (readonly [AuthErrorName, () => boolean])[] = [
    ['missing_signature', () => signature === ''],
    ['missing_api_key', () => apiKey === ''],
    ['invalid_api_key', () => merchant === null],
    ['missing_nonce', () => nonces.length < 2 && nonce === ''],
    ['multiple_nonces', () => nonces.length > 1],
    ['nonce_too_short', () => nonce.length < SHORTEST_NONCE],
    ['invalid_nonce', () => nonce.length > LONGEST_NONCE || !NONCE_CHARACTERS.test(nonce)],
    ['timestamp_expired', () => expired(lines('x-api-timestamp')[0] ?? null, parts.nowMs)],
    ['wrong_signature', () => !merchant || !isSigned({ ...presented, nonce }, signature, merchant, parts)],
    ['nonce_used', () => !merchant || !parts.takeNonce(merchant, nonce)],
  ]
  const failed = rules.find(([name, fails]) => fails() && !parts.skipped.has(name))
  if (failed) return { refusal: failed[0], merchant }
  return merchant ? { merchant } : { refusal: 'invalid_api_key', merchant: null }
}
