/**
 * One sealed cookie per session (docs/explanation/page-api.md, "Session cookie"), so that two cashiers in one browser
 * never mix.
 */
import { createHash } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import { getIronSession, type SessionOptions } from 'iron-session'

const PREFIX = '__Host-cashier-'
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const COOKIE = { httpOnly: true, secure: true, sameSite: 'none', partitioned: true, path: '/' } as const
/** A seal outlives its cookie by this time; only the store decides whether a session is alive. */
const SEAL_SLACK_S = 3600
/** The most opened seals in the cache, about 500 bytes each. */
const MAX_OPENED = 10_000

interface Sealed {
  sid: string
}

export const isSessionId = (text: string): boolean => SESSION_ID.test(text)

/**
 * iron-session writes the id of the password into the seal: a number that does not depend on the secret's place in the
 * list.
 */
const passwordId = (use: string, secret: string): number =>
  createHash('sha256').update(use).update(secret).digest().readUIntBE(0, 5)

/** iron-session's passwords by id. @param use of the cookie: no cookie opens as another kind of cookie */
export const passwords = (secrets: readonly string[], use: string): Record<string, string> =>
  Object.fromEntries(secrets.map((secret) => [passwordId(use, secret), secret]))

/** Our session cookies of a `Cookie` header, by name. */
const cookiesOf = (header: string | null): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(parseCookie(header ?? '')).filter(([name]) => name.startsWith(PREFIX)))

/** The undecoded value of the first cookie with this name in a header. */
function sentValue(header: string, name: string): string | null {
  for (let at = header.indexOf(name); at >= 0; at = header.indexOf(name, at + 1)) {
    const before = header.slice(0, at).trimEnd()
    const start = at + name.length + 1
    if ((before !== '' && !before.endsWith(';')) || header[start - 1] !== '=') continue
    const end = header.indexOf(';', start)
    return header.slice(start, end < 0 ? undefined : end).trim()
  }
  return null
}

export interface SessionCookies {
  /** True if the header has this session's own cookie, sealed with one of our secrets. */
  holds(cookieHeader: string | null, sessionId: string): Promise<boolean>
  /** The ids of all sessions whose cookies were sent, sealed by us or not. */
  named(cookieHeader: string | null): readonly string[]
  /** A `Set-Cookie` for a session with `maxAgeS` left. */
  seal(sessionId: string, maxAgeS: number): Promise<string>
  /** A `Set-Cookie` that removes a session's cookie. */
  clear(sessionId: string): string
}

/** @param secrets the first seals, all open */
export function sessionCookies(secrets: readonly [string, ...string[]], maxS: number): SessionCookies {
  const options = (sessionId: string, which: readonly string[]): SessionOptions => ({
    cookieName: PREFIX + sessionId,
    password: passwords(which, 'cashier cookie'),
    ttl: maxS + SEAL_SLACK_S,
    cookieOptions: COOKIE,
  })
  // Opening a seal derives keys, which costs more than the rest of a call. The cache has only our own seals, as sent.
  const opened = new Map<string, string>()
  const remember = (asSent: string, sessionId: string): void => {
    if (opened.size >= MAX_OPENED) opened.delete(opened.keys().next().value ?? '')
    opened.set(asSent, sessionId)
  }
  return {
    async holds(cookieHeader, sessionId) {
      const asSent = sentValue(cookieHeader ?? '', PREFIX + sessionId)
      if (asSent === null) return false
      if (opened.get(asSent) === sessionId) return true
      const sealed = cookiesOf(cookieHeader)[PREFIX + sessionId]
      if (sealed === undefined) return false
      const jar = { read: () => sealed, write: () => undefined }
      const { sid } = await getIronSession<Sealed>(jar, options(sessionId, secrets))
      if (sid === sessionId) remember(asSent, sessionId)
      return sid === sessionId
    },
    named: (cookieHeader) =>
      Object.keys(cookiesOf(cookieHeader))
        .map((name) => name.slice(PREFIX.length))
        .filter(isSessionId),
    async seal(sessionId, maxAgeS) {
      const written: string[] = []
      const jar = {
        read: () => undefined,
        write: (name: string, value: string) => written.push(setCookie(name, value, maxAgeS)),
      }
      const session = await getIronSession<Sealed>(jar, options(sessionId, secrets.slice(0, 1)))
      session.sid = sessionId
      await session.save()
      const line = written.join()
      remember(sentValue(line, PREFIX + sessionId) ?? '', sessionId)
      return line
    },
    clear: (sessionId) => setCookie(PREFIX + sessionId, '', 0),
  }
}

const setCookie = (name: string, value: string, maxAge: number): string =>
  stringifySetCookie({ ...COOKIE, name, value, maxAge })
