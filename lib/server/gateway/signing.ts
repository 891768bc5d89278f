/** The text that a request's signature covers, and the signature (docs/internal/gateway.md, "Signing requests"). */
import { constants, sign, type KeyObject } from 'node:crypto'

/**
 * `bare` signs `a=1&b=2`, `question-mark` signs `?a=1&b=2`: the gateway's documentation leaves the format of QUERY
 * open.
 */
export type SignQuery = 'bare' | 'question-mark'

export interface CanonicalParts {
  readonly method: string
  /** As sent, percent-encoding included. */
  readonly path: string
  readonly nonce: string
  /** Without a leading question mark; empty if there is none. */
  readonly query: string
  readonly body: string
}

/** The body in the form that both sides sign: every whitespace character removed, inside strings too. */
export const normalizeBody = (body: string): string => body.replace(/\s/gu, '')

/** METHOD + PATH + NONCE + QUERY + BODY, without separators. */
export function canonicalText(parts: CanonicalParts, signQuery: SignQuery): string {
  const query = parts.query !== '' && signQuery === 'question-mark' ? `?${parts.query}` : parts.query
  return parts.method.toUpperCase() + parts.path + parts.nonce + query + normalizeBody(parts.body)
}

/** Signs a canonical text; the result is standard Base64. */
export type Signer = (text: string) => Promise<string>

/** RSA-SHA256 with PKCS#1 v1.5. The callback form of `sign` runs on the thread pool, not on the event loop. */
export function createSigner(key: KeyObject): Signer {
  return (text) =>
    new Promise((resolve, reject) => {
      sign(
        'RSA-SHA256',
        Buffer.from(text, 'utf8'),
        { key, padding: constants.RSA_PKCS1_PADDING },
        (error, signature) => {
          if (error) reject(error)
          else resolve(signature.toString('base64'))
        },
      )
    })
}
