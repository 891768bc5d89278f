import { Problem } from '#lib/contract/problems.ts'

const refused = (): Problem => new Problem('forbidden_origin', 'This call is answered to our own page only.')

/**
 * Lets only our own page through. A call that changes something must name its `Origin`; where the browser says how the
 * call came about (Fetch Metadata), it must have come from our own origin or from no page at all.
 */
export function requireOwnPage(headers: Headers, publicUrl: string, changes: boolean): void {
  const origin = headers.get('origin')
  if (changes ? origin !== publicUrl : origin !== null && origin !== publicUrl) throw refused()
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && (changes || site !== 'none')) throw refused()
}

/**
 * `POST /launch` comes from /embed and from the page of `GET /launch`; a referrer policy or a web view may leave its
 * `Origin` out or make it `null`.
 */
export function requireLaunchOrigin(headers: Headers, publicUrl: string): void {
  const origin = headers.get('origin')
  if (origin !== null && origin !== 'null' && origin !== publicUrl) throw refused()
}
