export type QueryForm = 'bare' | 'question-mark'

/** The signed parts of a request, as received. `path` and `query` are not decoded; `query` has no question mark. */
export interface SignedRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly nonce: string
  readonly body: string
}

/** Removes all Unicode white space. Escapes such as `\u0020` stay, because they are not white space. */
export const withoutWhitespace = (body: string): string => body.replace(/\s/gu, '')

/** Spec, Signing steps 2 and 3: METHOD + PATH + NONCE + QUERY + BODY without white space. */
export function canonicalText(request: SignedRequest, queryForm: QueryForm, normalise = withoutWhitespace): string {
  const query = request.query === '' || queryForm === 'bare' ? request.query : `?${request.query}`
  return request.method.toUpperCase() + request.path + request.nonce + query + normalise(request.body)
}
