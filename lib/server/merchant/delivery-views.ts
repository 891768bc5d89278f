/** The view of deliveries in a page of the merchant: a token that works once, then a session of at most an hour. */
import { createHash } from 'node:crypto'
import { Problem } from '#lib/contract/problems.ts'
import type { Store } from '../store/types.ts'
import { hashLaunchToken, isOurLaunchToken, LAUNCH_TOKEN_LIFE_MS, makeLaunchToken } from './launch-token.ts'

export const DELIVERY_VIEW_MS = 3_600_000
const SESSION_BYTES = 32

export interface DeliveryViewDeps {
  readonly views: Pick<Store['deliveryViews'], 'add' | 'begin' | 'begunMs'>
  readonly publicUrl: string
  /** The first signs, all are accepted. */
  readonly secrets: readonly [string, ...string[]]
  readonly clock: () => number
  /** A secure source. */
  readonly randomBytes: (size: number) => Buffer
}

export interface CreatedDeliveryView {
  /** For a frame, or a new window. The token stands after `#`, so that no server and no log sees it. */
  readonly view_url: string
  readonly token: string
  /** When the token expires, ISO 8601. */
  readonly expires_at: string
}

const hashOf = (session: string): string => createHash('sha256').update(session).digest('hex')

export interface DeliveryViews {
  /** `POST /api/merchant/delivery-views`. */
  readonly create: () => Promise<CreatedDeliveryView>
  /**
   * Uses up a token. Returns the secret of the session that it begins.
   * @param count called only for our own tokens: forged tokens must not use up a limit
   * @throws Problem `unauthenticated` for a foreign token, `session_ended` for one that is used or has expired
   */
  readonly begin: (token: string, count: () => Promise<void>) => Promise<string>
  /** @throws Problem `unauthenticated` without a session, `session_ended` after an hour */
  readonly requireSession: (session: string | null) => Promise<void>
}

export const createDeliveryViews = ({
  views,
  publicUrl,
  secrets,
  clock,
  randomBytes,
}: DeliveryViewDeps): DeliveryViews => ({
  async create() {
    const token = makeLaunchToken(secrets[0], randomBytes, 'deliveries')
    const expires_ms = clock() + LAUNCH_TOKEN_LIFE_MS
    await views.add({ token_hash: hashLaunchToken(token), expires_ms })
    return {
      view_url: `${publicUrl}/delivery-view#token=${token}`,
      token,
      expires_at: new Date(expires_ms).toISOString(),
    }
  },

  async begin(token, count) {
    if (!isOurLaunchToken(token, secrets, 'deliveries'))
      throw new Problem('unauthenticated', 'This is not a token of a delivery view of this cashier.')
    await count()
    const session = randomBytes(SESSION_BYTES).toString('base64url')
    if (await views.begin(hashLaunchToken(token), hashOf(session), clock())) return session
    throw new Problem('session_ended', 'The token has been used or has expired.', { status: 410 })
  },

  async requireSession(session) {
    const begunMs = session === null ? null : await views.begunMs(hashOf(session))
    if (begunMs === null) throw new Problem('unauthenticated', 'This view has no session in this browser.')
    if (begunMs + DELIVERY_VIEW_MS <= clock()) throw new Problem('session_ended', 'This view has ended: open it again.')
  },
})
