/** The text that a request's signature covers (spec: "Signing steps"). */

/** `bare` signs `a=1&b=2`, `question-mark` signs `?a=1&b=2`: the spec leaves the format of QUERY open. */
export type SignQuery = 'bare' | 'question-mark'

export interface CanonicalParts {
  readonly method: string
  /** As it goes over the wire, percent-encoding included. */
  readonly path: string
  readonly nonce: string
  /** Without a leading question mark; empty where there is none. */
  readonly query: string
  readonly body: string
}

/** The body as both sides sign it: every whitespace character removed, inside strings too. */
export const normalizeBody = (body: string): string => body.replace(/\s/gu, '')

/** METHOD + PATH + NONCE + QUERY + BODY, with nothing between them. */
export function canonicalText(parts: CanonicalParts, signQuery: SignQuery): string {
  const query = parts.query !== '' && signQuery === 'question-mark' ? `?${parts.query}` : parts.query
  return parts.method.toUpperCase() + parts.path + parts.nonce + query + normalizeBody(parts.body)
}
