/** One sealed cookie a session (contract section 4, "Cookie"), so that two cashiers in one browser never mix. */
import { createHash } from 'node:crypto'
import { getIronSession, type SessionOptions } from 'iron-session'

const PREFIX = '__Host-cashier-'
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const COOKIE = { httpOnly: true, secure: true, sameSite: 'none', partitioned: true, path: '/' } as const
/** Seals outlive their cookie by this; the store alone decides whether a session lives. */
const SEAL_SLACK_S = 3600

interface Sealed {
  sid: string
}

export const isSessionId = (text: string): boolean => SESSION_ID.test(text)

/** iron-session names the password in the seal: a number that is the same wherever the secret stands in the list. */
const passwordId = (secret: string): number =>
  createHash('sha256').update('cashier cookie').update(secret).digest().readUIntBE(0, 5)

const passwords = (secrets: readonly string[]): Record<string, string> =>
  Object.fromEntries(secrets.map((secret) => [passwordId(secret), secret]))

function cookiesOf(header: string | null): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at < 0) continue
    const name = part.slice(0, at).trim()
    if (name.startsWith(PREFIX) && !cookies.has(name)) cookies.set(name, part.slice(at + 1).trim())
  }
  return cookies
}

export interface SessionCookies {
  /** True where the header carries this session's own cookie, sealed by one of our secrets. */
  holds(cookieHeader: string | null, sessionId: string): Promise<boolean>
  /** Ids of all sessions whose cookies came along, sealed by us or not. */
  named(cookieHeader: string | null): readonly string[]
  /** A `Set-Cookie` for a session that lives `maxAgeS` longer. */
  seal(sessionId: string, maxAgeS: number): Promise<string>
  /** A `Set-Cookie` that removes a session's cookie. */
  clear(sessionId: string): string
}

/** @param secrets the first seals, all open */
export function sessionCookies(secrets: readonly [string, ...string[]], maxS: number): SessionCookies {
  const options = (sessionId: string, which: readonly string[]): SessionOptions => ({
    cookieName: PREFIX + sessionId,
    password: passwords(which),
    ttl: maxS + SEAL_SLACK_S,
    cookieOptions: COOKIE,
  })
  return {
    async holds(cookieHeader, sessionId) {
      const cookies = cookiesOf(cookieHeader)
      const jar = { read: (name: string) => cookies.get(name), write: () => undefined }
      const { sid } = await getIronSession<Sealed>(jar, options(sessionId, secrets))
      return sid === sessionId
    },
    named: (cookieHeader) =>
      [...cookiesOf(cookieHeader).keys()].map((name) => name.slice(PREFIX.length)).filter(isSessionId),
    async seal(sessionId, maxAgeS) {
      const written: string[] = []
      const jar = {
        read: () => undefined,
        write: (name: string, value: string) => written.push(cookieText(name, value, maxAgeS)),
      }
      const session = await getIronSession<Sealed>(jar, options(sessionId, secrets.slice(0, 1)))
      session.sid = sessionId
      await session.save()
      return written.join()
    },
    clear: (sessionId) => cookieText(PREFIX + sessionId, '', 0),
  }
}

const cookieText = (name: string, value: string, maxAgeS: number): string =>
  `${name}=${value}; Max-Age=${maxAgeS}; Path=/; HttpOnly; Secure; SameSite=None; Partitioned`
