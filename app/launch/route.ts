import { Problem } from '#lib/contract/problems.ts'
import { launchAppearance, launchTimeZone, launchToken } from '#lib/contract/cashier-requests.ts'
import { PAGE_NONCE } from '#lib/contract/embed-limits.ts'
import { SESSION_DEPOSITS_QUERY } from '#lib/browser/session-deposits.ts'
import { matchLocale } from '#lib/server/merchant/match-locale.ts'
import type { Pages } from '#lib/server/runtime/app.ts'
import { browserLocale } from '#lib/server/runtime/http/accept-language.ts'
import { accepts } from '#lib/server/runtime/http/accepts.ts'
import { jsonAnswer, LaunchAnswer, NO_STORE, TextAnswer } from '#lib/server/runtime/http/answer.ts'
import { clientAddressKey } from '#lib/server/runtime/http/client-address.ts'
import { problemAnswer } from '#lib/server/runtime/http/problem-answer.ts'
import { readForm } from '#lib/server/runtime/http/request-body.ts'
import { handler, type Call, type HandlerOptions } from '#lib/server/runtime/http/route-handler.ts'
import { isNonce } from '#lib/server/runtime/http/response-headers.ts'
import type { HeaderReader } from '#lib/server/runtime/http/inbound-request.ts'
import { pageCurrency } from '../page-currency.ts'

const REFUSALS = {
  spent: new Problem('session_ended', 'The token has been used or has expired, or its session has ended.', {
    status: 410,
  }),
  foreign: new Problem('unauthenticated', 'This is not a launch token of this cashier.'),
} as const

/** A script asks for JSON. A form gets a redirect, or a page that says what went wrong. */
const wantsJson = (headers: HeaderReader): boolean => accepts(headers.get('accept'), 'application/json')

const localeOf = ({ request }: Call) => browserLocale(request.headers.get('accept-language'))

const asPage: HandlerOptions = {
  kind: 'document',
  present: (problem, call) =>
    wantsJson(call.request.headers)
      ? problemAnswer(problem, call.requestId)
      : call.app.staticPages.launchFailure(localeOf(call), problem, call.requestId),
}

/**
 * Language, theme and time zone from the browser and the merchant's page. The session's values replace unreadable ones.
 */
function appearanceOf(fields: URLSearchParams) {
  const given = (name: string): string | undefined => {
    const value = fields.get(name)
    return value === null || value === '' ? undefined : value
  }
  const { locale, theme } = launchAppearance.safeParse({ locale: given('locale'), theme: given('theme') }).data ?? {}
  const time_zone = launchTimeZone.safeParse(given('time_zone')).data
  return {
    ...(locale !== undefined && { locale: matchLocale([locale]) }),
    ...(theme !== undefined && { theme }),
    ...(time_zone !== undefined && { time_zone }),
  }
}

/** A page that posts the token as a form, so that a link preview does not redeem it. */
export const GET = handler(
  'launch',
  (call) => {
    const token = launchToken.safeParse(call.url.searchParams.get('token'))
    if (!token.success) throw REFUSALS.foreign
    const appearance = appearanceOf(call.url.searchParams)
    const locale = appearance.locale ?? localeOf(call)
    return Promise.resolve(call.app.staticPages.launchForm(locale, token.data, appearance))
  },
  asPage,
)
export const HEAD = GET

/** Asks for what the first page shows while the browser reads the answer and requests that page. Never rejects. */
async function prepareDeposit(pages: Pages, session: Parameters<Pages['currencies']>[0]): Promise<void> {
  pages.prepareTransactions(session, new URLSearchParams(SESSION_DEPOSITS_QUERY))
  const [currencies, balances] = await Promise.all([pages.currencies(session), pages.balances(session)])
  const chosen = pageCurrency(currencies, balances, null)
  if (chosen) pages.prepareDepositAddress(session, chosen.id)
}

/**
 * Redeems the token once and sends the browser, with the session's cookie, to the session's first page. /embed gets that
 * page itself, which saves a trip.
 */
export const POST = handler(
  'launch',
  async ({ app, request, client, requestId }) => {
    const { headers } = request
    app.requireLaunchOrigin(headers)
    const form = await readForm(request)
    const token = launchToken.safeParse(form.get('launch_token'))
    if (!token.success) throw REFUSALS.foreign

    const count = (): Promise<void> => app.rateLimits.take('launches', clientAddressKey(client))
    const redeemed = await app.useCases.launchSession(token.data, appearanceOf(form), count)
    if (redeemed.outcome !== 'launched') throw REFUSALS[redeemed.outcome]

    const { session } = redeemed
    const { id: session_id, user_reference_id, flows } = session
    app.log.info({ request_id: requestId, session_id, user_reference_id }, 'a session was launched')

    // Only for a page of ours, which requests the session's page at once.
    if (flows[0] === 'deposit' && headers.get('sec-fetch-site') === 'same-origin')
      void prepareDeposit(app.pages, session)
    const location = flows[0] === undefined ? `/c/${session_id}` : `/c/${session_id}/${flows[0]}`
    const cookies = await app.useCases.launchCookies(session, headers.get('cookie'))
    const nonce = headers.get(PAGE_NONCE)
    if (nonce !== null && isNonce(nonce))
      return new LaunchAnswer({ location, nonce, cookie: cookies[0]?.split(';', 1)[0] ?? '' }, cookies)
    return wantsJson(headers)
      ? jsonAnswer(200, { location }, cookies)
      : new TextAnswer('', { status: 303, headers: { location, ...NO_STORE }, cookies })
  },
  asPage,
)
