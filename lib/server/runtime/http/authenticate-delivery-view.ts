/** Checks the calls of the embedded view of deliveries: its cookie opens nothing else, and no other cookie opens it. */
import { parseCookie, stringifySetCookie } from 'cookie'
import { DELIVERY_VIEW_MS, type DeliveryViews } from '../../merchant/delivery-views.ts'
import type { HeaderReader } from './inbound-request.ts'
import { requireOwnPage } from './require-origin.ts'

const NAME = '__Host-cashier-deliveries'
/** In a frame on the merchant's site. */
const COOKIE = { httpOnly: true, secure: true, sameSite: 'none', partitioned: true, path: '/' } as const

export interface DeliveryViewAuthenticator {
  /** @throws Problem `unauthenticated`, `session_ended`, `forbidden_origin` */
  authenticate(headers: HeaderReader, changes: boolean): Promise<void>
  /** A call of our own page that begins a session. @throws Problem `forbidden_origin` */
  requireOwnPage(headers: HeaderReader): void
  /** The `Set-Cookie` of a session. */
  cookie(session: string): string
}

export const deliveryViewAuthenticator = (
  { requireSession }: Pick<DeliveryViews, 'requireSession'>,
  publicUrl: string,
): DeliveryViewAuthenticator => ({
  async authenticate(headers, changes) {
    await requireSession(parseCookie(headers.get('cookie') ?? '')[NAME] ?? null)
    requireOwnPage(headers, publicUrl, changes)
  },
  requireOwnPage: (headers) => requireOwnPage(headers, publicUrl, true),
  cookie: (session) => stringifySetCookie({ ...COOKIE, name: NAME, value: session, maxAge: DELIVERY_VIEW_MS / 1000 }),
})
