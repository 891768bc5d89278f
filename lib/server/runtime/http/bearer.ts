import { createHash, timingSafeEqual } from 'node:crypto'
import { Problem } from '#lib/contract/problems.ts'
import type { HeaderReader } from './inbound-request.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The token of `Authorization: Bearer …`; empty if there is none. */
export const bearerToken = (authorization: string | null): string =>
  /^Bearer +([!-~]+) *$/i.exec(authorization ?? '')?.[1] ?? ''

/** A check of `Authorization: Bearer …` against any of the keys, in constant time. */
export function bearerCheck(keys: readonly string[]): (authorization: string | null) => boolean {
  const wanted = keys.map(digest)
  return (authorization) => {
    const given = digest(bearerToken(authorization))
    return wanted.map((one) => timingSafeEqual(one, given)).includes(true)
  }
}

export const keyRefused = (): Problem =>
  new Problem('unauthenticated', 'Send a valid key as `Authorization: Bearer …`.', { challenge: 'Bearer' })

/** @throws Problem `unauthenticated` unless the header has one of the keys */
export function requireBearer(keys: readonly string[]): (headers: HeaderReader) => void {
  const check = bearerCheck(keys)
  return (headers) => {
    if (!check(headers.get('authorization'))) throw keyRefused()
  }
}
