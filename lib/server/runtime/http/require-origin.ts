import { Problem } from '#lib/contract/problems.ts'
import type { HeaderReader } from './inbound-request.ts'

const refused = (): Problem => new Problem('forbidden_origin', 'Only our own page may make this call.')

/**
 * A call that changes something must have our own `Origin`. If the browser sends Fetch Metadata, the call must come
 * from our own origin; a read may also come from no page.
 * @throws Problem `forbidden_origin`
 */
export function requireOwnPage(headers: HeaderReader, publicUrl: string, changes: boolean): void {
  const origin = headers.get('origin')
  if (changes ? origin !== publicUrl : origin !== null && origin !== publicUrl) throw refused()
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && (changes || site !== 'none')) throw refused()
}

/**
 * `POST /launch` comes from /embed and from the page of `GET /launch`. A referrer policy or a web view may omit its
 * `Origin` or make it `null`. Another site could sign a visitor in to its own account. So if the browser sends Fetch
 * Metadata, the call must come from our own origin or from the visitor.
 * @throws Problem `forbidden_origin`
 */
export function requireLaunchOrigin(headers: HeaderReader, publicUrl: string): void {
  const origin = headers.get('origin')
  if (origin !== null && origin !== 'null' && origin !== publicUrl) throw refused()
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw refused()
}
