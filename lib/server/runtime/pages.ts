/** What pages may load while they render: the same use cases as the routes, with failures as data. */
import type { Config } from './config/config.ts'
import type { Loaded, Pages } from './app.ts'
import type { SessionAuthenticator } from './http/authenticate-session.ts'
import { logProblem, problemOf, type ProblemLog } from './http/problem-answer.ts'
import type { RateLimits } from './http/rate-limits.ts'
import { readTransactionsQuery } from './http/transactions-query.ts'
import { withOfferedFlows } from '../merchant/offered-flows.ts'
import type { StreamHub } from '../stream/hub.ts'
import type { UseCases } from './compose-use-cases.ts'

export interface PagesDeps {
  readonly authenticator: Pick<SessionAuthenticator, 'identify'>
  readonly useCases: Pick<
    UseCases,
    'listCurrencies' | 'listBalances' | 'knownDepositAddress' | 'getDepositAddress' | 'listTransactions'
  >
  readonly rateLimits: RateLimits
  readonly hub: Pick<StreamHub, 'head'>
  readonly config: Config
  readonly log: ProblemLog
  readonly newId: () => string
}

export function pagesOf({ authenticator, useCases, rateLimits, hub, config, log, newId }: PagesDeps): Pages {
  const failed = (error: unknown): { ok: false; code: string; request_id: string } => {
    const problem = problemOf(error)
    const request_id = newId()
    logProblem(log, problem, request_id, 'page')
    return { ok: false, code: problem.code, request_id }
  }
  async function loaded<T>(load: () => Promise<T>): Promise<Loaded<T>> {
    try {
      return { ok: true, data: await load() }
    } catch (error) {
      return failed(error)
    }
  }
  const onramp = config.onrampOrigins.length > 0
  return {
    async session(sessionId, cookieHeader) {
      const found = await authenticator.identify(sessionId, cookieHeader)
      return found.state === 'active' ? { ...found, session: withOfferedFlows(found.session, onramp) } : found
    },
    currencies: (session) => loaded(() => useCases.listCurrencies(session)),
    balances: (session) => loaded(() => useCases.listBalances(session.user_reference_id)),
    depositAddress: (session, currencyId) =>
      loaded(async () => {
        const known = await useCases.knownDepositAddress(session, currencyId)
        if (known !== null) return known
        // It counts as the page's own call would.
        await rateLimits.take('deposit_addresses', session.user_reference_id)
        return useCases.getDepositAddress(session, { currency_id: currencyId })
      }),
    transactions: (session, query) =>
      loaded(async () => useCases.listTransactions(session, readTransactionsQuery(query))),
    async streamHead(session) {
      const head = await loaded(() => hub.head(session.user_reference_id))
      return head.ok && head.data !== null ? String(head.data) : null
    },
    settings: {
      publicUrl: config.publicUrl,
      ledgerMode: config.merchantAuthorizeUrl === null ? 'embedded' : 'merchant',
      onramp,
      onrampOrigins: config.onrampOrigins,
      withdrawalConfirmAbove: config.withdrawalConfirmAbove,
      withdrawalAbsenceS: config.withdrawalAbsenceS,
      depositLinks: config.depositLinks,
      themeTokens: config.themeTokens,
      supportUrl: config.supportUrl,
      explorerUrl: config.explorerUrl,
      embedOrigins: config.embedOrigins,
    },
  }
}
