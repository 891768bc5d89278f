import { z } from 'zod'
import { THEMES } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import { matchLocale } from '../../merchant/match-locale.ts'
import { staleSessions } from '../../merchant/open-session.ts'
import { redeemLaunchToken, type RedeemDeps } from '../../merchant/redeem-launch-token.ts'
import type { SessionLimits } from '../../merchant/session-life.ts'
import type { Looks, Store } from '../../store/port.ts'
import { launchFailure, launchForm } from '../documents/launch-documents.ts'
import { addressKey } from '../http/client-address.ts'
import type { Call, Endpoints, ProblemLog } from '../http/handler.ts'
import { requireLaunchOrigin } from '../http/own-page.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import { readForm } from '../http/request-body.ts'
import type { PublicFacts } from '../http/response-headers.ts'
import type { SessionCookies } from '../http/session-cookie.ts'

export interface LaunchDeps {
  readonly facts: PublicFacts
  readonly redeem: RedeemDeps
  readonly sessions: Pick<Store['sessions'], 'findSessions'>
  readonly limits: SessionLimits
  readonly cookies: SessionCookies
  readonly rateLimits: RateLimits
  readonly log: Pick<ProblemLog, 'info'>
}

/** So many cookies of living sessions stay in one browser: more would not fit into a request's headers. */
const MOST_COOKIES = 16
/** More names than these are not ours. */
const MOST_ASKED = 100

/** A token as it may stand in a form; whether it is one is decided when it is redeemed. */
const token = z.string().regex(/^[!-~]{1,2048}$/)
const looks = z.object({
  locale: z.string().max(100).optional(),
  theme: z.enum(THEMES).optional(),
})

const spent = (): Problem =>
  new Problem('session_ended', 'The token has been used, is too old, or its session is over.')
const foreign = (): Problem => new Problem('unauthenticated', 'This is no launch token of ours.')

/** The browser's languages, best first, as far as `Accept-Language` tells. */
const browserLocale = ({ request }: Call) =>
  matchLocale(
    (request.headers.get('accept-language') ?? '').split(',').map((part) => (part.split(';')[0] ?? '').trim()),
  )

/** What the merchant's page said of looks; what cannot be read is left to the session. */
function looksOf(form: URLSearchParams): Looks {
  const read = looks.safeParse({ locale: form.get('locale') ?? undefined, theme: form.get('theme') ?? undefined })
  const { locale, theme } = read.data ?? {}
  return {
    ...(locale !== undefined && { locale: matchLocale([locale]) }),
    ...(theme !== undefined && { theme }),
  }
}

/** Cookies that this launch removes: of sessions that are over, and the least used of too many. */
async function cleared(deps: LaunchDeps, cookieHeader: string | null, now: number): Promise<readonly string[]> {
  const named = deps.cookies.named(cookieHeader).slice(0, MOST_ASKED)
  if (named.length === 0) return []
  return staleSessions(named, await deps.sessions.findSessions(named), deps.limits, now, MOST_COOKIES - 1)
}

/** `POST /launch` and `GET /launch?token=…`. A HEAD is a GET without its body, and burns as little. */
export function launch(deps: LaunchDeps): Endpoints {
  const show = (call: Call): Promise<Response> => {
    const given = token.safeParse(call.url.searchParams.get('token'))
    if (!given.success) throw foreign()
    return Promise.resolve(launchForm(deps.facts, browserLocale(call), given.data))
  }
  return {
    GET: show,
    HEAD: show,
    async POST(call) {
      const { headers } = call.request
      requireLaunchOrigin(headers, deps.facts.publicUrl)
      await deps.rateLimits.take('launches', addressKey(call.client))
      const form = await readForm(call.request)
      const given = token.safeParse(form.get('launch_token'))
      if (!given.success) throw foreign()
      const redeemed = await redeemLaunchToken(deps.redeem, given.data, looksOf(form))
      if (redeemed.outcome !== 'launched') throw redeemed.outcome === 'spent' ? spent() : foreign()

      const { session } = redeemed
      const who = { session_id: session.id, user_reference_id: session.user_reference_id }
      deps.log.info({ request_id: call.requestId, ...who }, 'a session was launched')
      const now = deps.redeem.clock()
      const lifeS = Math.ceil((session.created_ms + deps.limits.maxMs - now) / 1000)
      const response = new Response(null, {
        status: 303,
        headers: { location: `/c/${session.id}`, 'cache-control': 'no-store' },
      })
      response.headers.append('set-cookie', await deps.cookies.seal(session.id, Math.max(1, lifeS)))
      for (const id of await cleared(deps, headers.get('cookie'), now)) {
        response.headers.append('set-cookie', deps.cookies.clear(id))
      }
      return response
    },
  }
}

/** Answers a launch that failed with a page. */
export const presentLaunch =
  (facts: PublicFacts) =>
  (problem: Problem, call: Call): Response => {
    const response = launchFailure(facts, browserLocale(call), problem, call.requestId)
    if (problem.code === 'method_not_allowed') response.headers.set('allow', 'GET, HEAD, POST')
    return response
  }
