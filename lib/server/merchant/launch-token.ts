/**
 * Launch tokens: `<random>.<mac>`, both base64url. The MAC distinguishes a token that we never made (401) from one
 * that is used or deleted (410) without storing either. The store has only a token's SHA-256.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export const LAUNCH_TOKEN_LIFE_MS = 5 * 60_000
const RANDOM_BYTES = 24
const FORM = /^([A-Za-z0-9_-]{32})\.([A-Za-z0-9_-]{43})$/

/** What a token opens: one of another kind counts as foreign. */
const KINDS = { cashier: 'cashier launch token', deliveries: 'delivery view launch token' } as const
export type LaunchTokenKind = keyof typeof KINDS

const macOf = (random: string, secret: string, kind: LaunchTokenKind): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update(KINDS[kind]).digest()).update(random).digest()

export const hashLaunchToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** @param secret signs the token @param randomBytes a secure source */
export function makeLaunchToken(
  secret: string,
  randomBytes: (size: number) => Buffer,
  kind: LaunchTokenKind = 'cashier',
): string {
  const random = randomBytes(RANDOM_BYTES).toString('base64url')
  return `${random}.${macOf(random, secret, kind).toString('base64url')}`
}

/** True for a token of this kind made with one of these secrets. Only the store knows whether it is still valid. */
export function isOurLaunchToken(
  token: string,
  secrets: readonly string[],
  kind: LaunchTokenKind = 'cashier',
): boolean {
  const [, random, mac] = FORM.exec(token) ?? []
  if (random === undefined || mac === undefined) return false
  const given = Buffer.from(mac, 'base64url')
  return secrets.map((secret) => timingSafeEqual(macOf(random, secret, kind), given)).includes(true)
}
