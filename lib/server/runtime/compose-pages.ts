import { randomUUID } from 'node:crypto'
import type { DepositAddress, TransactionsPage } from '#lib/contract/cashier.ts'
import { withOfferedFlows } from '../merchant/offered-flows.ts'
import type { CashierSession } from '../store/types.ts'
import type { AppParts } from './app-parts.ts'
import type { App, Loaded, Pages } from './app.ts'
import { logProblem, problemOf } from './http/problem-answer.ts'
import { readTransactionsQuery } from './http/transactions-query.ts'
import { preparedResults } from './prepared-results.ts'

/** The data that pages may load while they render: the same use cases as in the routes, with failures as data. */
export function composePages(
  { config, log, hub, useCases, rateLimits }: AppParts,
  authenticator: App['authenticator'],
): Pages {
  async function loaded<T>(load: () => Promise<T>): Promise<Loaded<T>> {
    try {
      return { ok: true, data: await load() }
    } catch (error) {
      const problem = problemOf(error)
      const request_id = randomUUID()
      logProblem(log, problem, request_id, 'page')
      return { ok: false, code: problem.code, request_id }
    }
  }
  const loadAddress = (session: CashierSession, currencyId: string): Promise<Loaded<DepositAddress>> =>
    loaded(async () => {
      const known = await useCases.knownDepositAddress(session, currencyId)
      if (known !== null) return known
      // It counts like the page's own call.
      await rateLimits.take('deposit_addresses', session.user_reference_id)
      return useCases.getDepositAddress(session, { currency_id: currencyId })
    })
  const loadTransactions = (session: CashierSession, query: URLSearchParams): Promise<Loaded<TransactionsPage>> =>
    loaded(async () => useCases.listTransactions(session, readTransactionsQuery(query)))
  const addresses = preparedResults<Loaded<DepositAddress>>()
  const lists = preparedResults<Loaded<TransactionsPage>>()
  const of = (session: CashierSession, what: { toString(): string }): string => `${session.id} ${what.toString()}`
  const onramp = config.onrampOrigins.length > 0
  return {
    async session(sessionId, cookieHeader) {
      const found = await authenticator.identify(sessionId, cookieHeader)
      return found.state === 'active' ? { ...found, session: withOfferedFlows(found.session, onramp) } : found
    },
    currencies: (session) => loaded(() => useCases.listCurrencies(session)),
    balances: (session) =>
      config.ledgerMode === 'embedded'
        ? loaded(() => useCases.listBalances(session.user_reference_id))
        : Promise.resolve({ ok: true, data: [] }),
    depositAddress: (session, currencyId) =>
      addresses.take(of(session, currencyId)) ?? loadAddress(session, currencyId),
    prepareDepositAddress(session, currencyId) {
      addresses.prepare(of(session, currencyId), () => loadAddress(session, currencyId))
    },
    transactions: (session, query) => lists.take(of(session, query)) ?? loadTransactions(session, query),
    prepareTransactions(session, query) {
      lists.prepare(of(session, query), () => loadTransactions(session, query))
    },
    async streamHead(session) {
      const head = await loaded(() => hub.head(session.user_reference_id))
      return head.ok && head.data !== null ? String(head.data) : null
    },
    settings: {
      publicUrl: config.publicUrl,
      ledgerMode: config.ledgerMode,
      onramp,
      onrampOrigins: config.onrampOrigins,
      withdrawalConfirmAbove: config.withdrawalConfirmAbove,
      withdrawalAbsenceS: config.withdrawalAbsenceS,
      userCancellation: config.userCancellation,
      depositLinks: config.depositLinks,
      themeTokens: config.themeTokens,
      supportUrl: config.supportUrl,
      explorerUrl: config.explorerUrl,
      values: config.values,
      depositMinimums: Object.fromEntries(config.depositMinimums),
      embedOrigins: config.embedOrigins,
    },
  }
}
