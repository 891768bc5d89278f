/** The sealed cookie of an operator's session: one in a browser, sent by our own pages only. */
import { parseCookie, stringifySetCookie } from 'cookie'
import { getIronSession } from 'iron-session'
import { passwords } from './session-cookie.ts'

const OPERATOR_COOKIE = '__Host-cashier-operator'
const COOKIE = { httpOnly: true, secure: true, sameSite: 'strict', path: '/' } as const

interface Sealed {
  sid: string
}

export interface OperatorCookie {
  /** The session id in a `Cookie` header; null without our own seal. */
  read(cookieHeader: string | null): Promise<string | null>
  /** A `Set-Cookie` for a session with `maxAgeS` left. */
  seal(sessionId: string, maxAgeS: number): Promise<string>
  /** A `Set-Cookie` that removes the cookie. */
  clear(): string
}

const line = (value: string, maxAge: number): string =>
  stringifySetCookie({ ...COOKIE, name: OPERATOR_COOKIE, value, maxAge })

/** @param secrets the first seals, all open. @param maxS the longest life of a session */
export function operatorCookie(secrets: readonly [string, ...string[]], maxS: number): OperatorCookie {
  const options = (which: readonly string[]) => ({
    cookieName: OPERATOR_COOKIE,
    password: passwords(which, 'operator cookie'),
    ttl: maxS,
    cookieOptions: COOKIE,
  })
  return {
    async read(cookieHeader) {
      const sealed = parseCookie(cookieHeader ?? '')[OPERATOR_COOKIE]
      if (sealed === undefined) return null
      const jar = { read: () => sealed, write: () => undefined }
      const { sid } = await getIronSession<Partial<Sealed>>(jar, options(secrets))
      return sid ?? null
    },
    async seal(sessionId, maxAgeS) {
      const written: string[] = []
      const jar = { read: () => undefined, write: (_name: string, value: string) => written.push(value) }
      const session = await getIronSession<Partial<Sealed>>(jar, options(secrets.slice(0, 1)))
      session.sid = sessionId
      await session.save()
      return line(written.join(), maxAgeS)
    },
    clear: () => line('', 0),
  }
}
