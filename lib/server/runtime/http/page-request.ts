import type { IncomingMessage } from 'node:http'

/** Headers of a form, which the request of a page does not have. */
const OF_FORMS = ['content-type', 'content-length', 'transfer-encoding', 'origin'] as const

/**
 * Turns a request whose body was read into the request of a page in a frame, as the browser would send it after a
 * redirect.
 * @param to.cookie before the request's own cookies: of two with one name the first counts
 * @param to.policy Next reads the nonce from it
 */
export function becomePageRequest(
  request: IncomingMessage,
  to: { readonly url: string; readonly cookie: string; readonly policy: string },
): void {
  const { headers } = request
  for (const name of OF_FORMS) Reflect.deleteProperty(headers, name)
  request.method = 'GET'
  request.url = to.url
  headers.accept = 'text/html'
  headers.cookie = headers.cookie === undefined ? to.cookie : `${to.cookie}; ${headers.cookie}`
  headers['sec-fetch-dest'] = 'iframe'
  headers['content-security-policy'] = to.policy
}
