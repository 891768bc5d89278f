import { Problem } from '#lib/contract/problems.ts'
import type { HeaderReader } from './inbound-request.ts'

const refused = (): Problem => new Problem('forbidden_origin', 'This call is answered to our own page only.')

/**
 * A call that changes something must carry our own `Origin`. Where the browser sends Fetch Metadata, the call must come
 * from our own origin, or for a read from no page at all.
 * @throws Problem `forbidden_origin`
 */
export function requireOwnPage(headers: HeaderReader, publicUrl: string, changes: boolean): void {
  const origin = headers.get('origin')
  if (changes ? origin !== publicUrl : origin !== null && origin !== publicUrl) throw refused()
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && (changes || site !== 'none')) throw refused()
}

/**
 * `POST /launch` comes from /embed and from the page of `GET /launch`; a referrer policy or a web view may leave its
 * `Origin` out or make it `null`. Another site could sign a visitor in to an account of its own, so where the browser
 * sends Fetch Metadata, the call must be our own origin's or the visitor's.
 * @throws Problem `forbidden_origin`
 */
export function requireLaunchOrigin(headers: HeaderReader, publicUrl: string): void {
  const origin = headers.get('origin')
  if (origin !== null && origin !== 'null' && origin !== publicUrl) throw refused()
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw refused()
}
