/**
 * Challenges for passkeys. A challenge proves by itself that it is ours, for what, for whom and until when; nothing is
 * stored before a passkey has signed it. Then it is stored as used, so that it counts once.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../store/types.ts'

const CHALLENGE_MS = 5 * 60_000
const EXPIRY_BYTES = 6
const NONCE_BYTES = 16

export interface ChallengeSubject {
  readonly purpose: 'invitation' | 'sign-in' | 'touch'
  /** The invitation's hash or the session's id; the empty text for a sign-in. */
  readonly of: string
}

function seal(secret: string, { purpose, of }: ChallengeSubject, body: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['operator challenge', purpose, of]))
    .update(body)
    .digest()
}

/** @param randomBytes the source of nonces */
export function newChallenge(
  secret: string,
  subject: ChallengeSubject,
  now: number,
  randomBytes: (count: number) => Buffer,
): Uint8Array<ArrayBuffer> {
  const body = Buffer.alloc(EXPIRY_BYTES + NONCE_BYTES)
  body.writeUIntBE(now + CHALLENGE_MS, 0, EXPIRY_BYTES)
  randomBytes(NONCE_BYTES).copy(body, EXPIRY_BYTES)
  return new Uint8Array(Buffer.concat([body, seal(secret, subject, body)]))
}

/**
 * The time at which a challenge of ours ends, in milliseconds since 1970. Null: it is not ours, not for this subject, or
 * over.
 * @param secrets any of them may have sealed it
 */
export function challengeEnd(
  challenge: string,
  secrets: readonly string[],
  subject: ChallengeSubject,
  now: number,
): number | null {
  const bytes = Buffer.from(challenge, 'base64url')
  // Another text with the same bytes would be another used challenge.
  if (bytes.toString('base64url') !== challenge) return null
  const body = bytes.subarray(0, EXPIRY_BYTES + NONCE_BYTES)
  const given = bytes.subarray(EXPIRY_BYTES + NONCE_BYTES)
  if (body.length < EXPIRY_BYTES + NONCE_BYTES) return null
  const isOurs = secrets.some((secret) => {
    const own = seal(secret, subject, body)
    return own.length === given.length && timingSafeEqual(own, given)
  })
  const endMs = body.readUIntBE(0, EXPIRY_BYTES)
  return isOurs && endMs > now ? endMs : null
}

/** Recognizes the challenge that a passkey has signed, and uses it up. */
export function ownChallenge(secrets: readonly string[], subject: ChallengeSubject, now: number) {
  let found: { readonly challenge: string; readonly endMs: number } | null = null
  return {
    isOurs: (challenge: string): boolean => {
      const endMs = challengeEnd(challenge, secrets, subject, now)
      found = endMs === null ? null : { challenge, endMs }
      return found !== null
    },
    /** False if it was used before. */
    use: async (tx: Pick<Tx, 'operatorPasskeys' | 'now'>): Promise<boolean> =>
      found !== null && (await tx.operatorPasskeys.useChallenge(found.challenge, found.endMs, tx.now)),
  }
}
