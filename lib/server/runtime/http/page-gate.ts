/**
 * Decides which pages are rendered: a render costs more than any call, so each counts towards a limit before it begins.
 */
import { FLOWS } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { WayBack } from '../../merchant/find-active-session.ts'
import type { OperatorAuthenticator } from './authenticate-operator.ts'
import type { SessionAuthenticator } from './authenticate-session.ts'
import { clientAddressKey } from './client-address.ts'
import type { RateLimits } from './rate-limits.ts'

export type Admission =
  /** Call `done` after the render. */
  | { readonly shows: 'page'; readonly done: () => void }
  /** A small prepared document. `no-session`: no cookie, a foreign cookie, or no such session. */
  | { readonly shows: 'no-session' | 'not-found' }
  | { readonly shows: 'ended'; readonly wayBack: WayBack }

export interface PageGate {
  /**
   * Counts a page for its session, or for the client's address if it has none.
   * @throws Problem `rate_limited`
   */
  admit(page: PageRequest): Promise<Admission>
}

export interface PageRequest {
  readonly pathname: string
  readonly cookieHeader: string | null
  /** The client's address, as the proxies in front report it. */
  readonly client: string
  /** True in development, where Next has its own pages. */
  readonly dev?: boolean
}

export interface PageGateDeps {
  readonly authenticator: Pick<SessionAuthenticator, 'identify'>
  readonly operators: Pick<OperatorAuthenticator, 'exists'>
  readonly rateLimits: RateLimits
  /** The most pages without a session that are rendered at once; 1 by default. Others wait. */
  readonly mostAtOnce?: number
  /** The most pages that wait; 20 by default. Infinite if limits are off. */
  readonly mostWaiting?: number
}

/** The id in the path of a session's page; undefined for any other path. */
function sessionOf(pathname: string): string | undefined {
  const [, id, flow] = /^\/c\/([^/]+)(?:\/([a-z]+))?\/?$/.exec(pathname) ?? []
  return flow === undefined || FLOWS.some((one) => one === flow) ? id : undefined
}
/** Pages that need no session, and so are rendered for everybody. */
const OTHER_PAGE = /^\/(?:onramp\/return|delivery-view(?:\/[^/]+)?)\/?$/
/** The console's pages are one small document, which has nobody's data. */
const CONSOLE = /^\/operate(?:\/|$)/
export const isConsolePath = (pathname: string): boolean => CONSOLE.test(pathname)
const FREE: Admission = { shows: 'page', done: () => undefined }

export function pageGate({
  authenticator,
  operators,
  rateLimits,
  mostAtOnce = 1,
  mostWaiting = 20,
}: PageGateDeps): PageGate {
  let rendering = 0
  const waiting: (() => void)[] = []

  const enter = async (): Promise<void> => {
    if (rendering < mostAtOnce) {
      rendering += 1
      return
    }
    if (waiting.length >= mostWaiting) throw new Problem('rate_limited', 'Please wait a second.', { retryAfterS: 1 })
    // `leave` passes its place on to this page.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) rendering -= 1
    else next()
  }

  return {
    async admit({ pathname, cookieHeader, client, dev = false }) {
      const id = sessionOf(pathname)
      const found = id === undefined ? null : await authenticator.identify(id, cookieHeader)
      if (found?.state === 'active') {
        await rateLimits.take('calls', found.session.user_reference_id)
        return FREE
      }
      await rateLimits.take('pages', clientAddressKey(client))
      if (found?.state === 'ended') return { shows: 'ended', wayBack: found }
      if (found !== null) return { shows: 'no-session' }
      if (isConsolePath(pathname) ? !(await operators.exists()) : !dev && !OTHER_PAGE.test(pathname))
        return { shows: 'not-found' }
      await enter()
      let left = false
      return {
        shows: 'page',
        done() {
          if (!left) leave()
          left = true
        },
      }
    },
  }
}
