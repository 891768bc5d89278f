import type * as api from './api-types.ts'
import { followEvents, readEvents, type EventsQuery, type FollowOptions } from './events.ts'
import { createCaller, type CashierOptions } from './http.ts'

/** Start and size of a page. `after` is the `next_cursor` of an earlier answer. */
export interface PageQuery {
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

export interface WithdrawalsQuery extends PageQuery {
  readonly status?: api.Withdrawal['status'] | undefined
  readonly user_reference_id?: string | undefined
}

export interface PayoutsQuery extends PageQuery {
  /** `none` are the payouts that nobody owns. */
  readonly owner?: 'none' | NonNullable<api.MerchantPayout['owner']> | undefined
  readonly user_reference_id?: string | undefined
}

export interface QuarantineQuery extends PageQuery {
  readonly reason?: string | undefined
  readonly state?: 'open' | 'settled' | undefined
}

export interface StatementQuery {
  /** A time such as `2026-11-21T12:00:00Z`, or a day such as `2026-11-21`, which begins in UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly user_reference_id?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface TransactionsQuery {
  readonly user_reference_id?: string | undefined
  readonly first?: number | undefined
  readonly after?: string | undefined
  readonly last?: number | undefined
  readonly before?: string | undefined
  readonly time_range?: 'today' | 'yesterday' | 'this_week' | 'this_month' | 'last_month' | 'last_24hrs' | undefined
  readonly transaction_types?: readonly ('Deposit' | 'Payout')[] | undefined
}

/** Each function throws a `CashierError` if the cashier refuses, and the error of `fetch` if it cannot be reached. */
export interface Cashier {
  /** Creates a session for a user who is signed in. Give its `launch_token` to your page. */
  createSession(request: api.CreateSessionRequest): Promise<api.CreatedSession>
  /** Ends the session. Call it when your user signs out. */
  endSession(sessionId: string): Promise<void>
  balances(user: string): Promise<api.Balances['balances']>
  entries(user: string, page?: PageQuery): Promise<api.EntriesPage>
  /** A CSV file of any length: `pipeline(await cashier.statement({ from, to }), createWriteStream(name))`. */
  statement(query?: StatementQuery): Promise<ReadableStream<Uint8Array>>
  /** Books an adjustment once per `reference`, so the call is repeated if no answer comes. */
  adjust(user: string, adjustment: api.AdjustmentRequest): Promise<api.Adjustment>
  /** Tells what currencies are worth in US dollars, for 24 hours; replaces all that you told before. */
  tellRates(request: api.RatesRequest): Promise<api.ToldRates>
  withdrawals(query?: WithdrawalsQuery): Promise<api.WithdrawalsPage>
  withdrawal(id: string): Promise<api.MerchantWithdrawal>
  /** Decides a withdrawal that you postponed. Not repeated: after a failure, read the withdrawal. */
  decide(id: string, decision: api.WithdrawalDecisionRequest): Promise<api.Withdrawal>
  /** Settles a withdrawal that is `unknown` or has `attention`. Not repeated. */
  resolve(id: string, resolution: api.WithdrawalResolutionRequest): Promise<api.MerchantWithdrawal>
  payouts(query?: PayoutsQuery): Promise<api.PayoutsPage>
  /** Says whose a payout is that nobody owns. Not repeated. */
  setPayoutOwner(transactionUuid: string, owner: api.PayoutOwnerRequest): Promise<api.MerchantPayout>
  transactions(query?: TransactionsQuery): Promise<api.TransactionsPage>
  quarantine(query?: QuarantineQuery): Promise<api.QuarantinePage>
  resolveQuarantine(id: string, resolution: api.QuarantineResolutionRequest): Promise<api.QuarantineResolution>
  events(query?: EventsQuery): Promise<api.EventsPage>
  /** `for await (const event of cashier.follow({ cursor }))`. */
  follow(options: FollowOptions): AsyncGenerator<api.Event, never, void>
  redeliver(what: api.RedeliveryRequest): Promise<api.Redelivery>
  /** Frame its `view_url` in your own admin. */
  createDeliveryView(): Promise<api.DeliveryView>
  sendTestEvent(): Promise<api.TestEventResult>
}

export function createCashier(options: CashierOptions): Cashier {
  const call = createCaller(options)
  const segment = encodeURIComponent
  const get = <T>(path: string, query: object = {}): Promise<T> =>
    call({ method: 'GET', path, query, repeatable: true })
  const post = <T>(path: string, body: unknown, repeatable = false): Promise<T> =>
    call({ method: 'POST', path, body, repeatable })
  const userPath = (user: string): string => `/users/${segment(user)}`
  const withdrawalPath = (id: string): string => `/withdrawals/${segment(id)}`
  return {
    // If the first answer was lost, nobody has the token of that session, and it ends by itself.
    createSession: (request) => post('/sessions', request, true),
    endSession: (id) => call({ method: 'DELETE', path: `/sessions/${segment(id)}`, repeatable: true }),
    balances: async (user) => (await get<api.Balances>(`${userPath(user)}/balances`)).balances,
    entries: (user, page) => get(`${userPath(user)}/entries`, page),
    statement: ({ signal, ...query } = {}) =>
      call({ method: 'GET', path: '/statement.csv', query, repeatable: true, signal, asFile: true }),
    adjust: (user, adjustment) => post(`${userPath(user)}/adjustments`, adjustment, true),
    tellRates: (body) => call({ method: 'PUT', path: '/rates', body, repeatable: true }),
    withdrawals: (query) => get('/withdrawals', query),
    withdrawal: (id) => get(withdrawalPath(id)),
    decide: (id, decision) => post(`${withdrawalPath(id)}/authorization`, decision),
    resolve: (id, resolution) => post(`${withdrawalPath(id)}/resolution`, resolution),
    payouts: (query) => get('/payouts', query),
    setPayoutOwner: (uuid, owner) => post(`/payouts/${segment(uuid)}/owner`, owner),
    transactions: (query) => get('/transactions', query),
    quarantine: (query) => get('/quarantine', query),
    resolveQuarantine: (id, resolution) => post(`/quarantine/${segment(id)}/resolution`, resolution),
    events: (query = {}) => readEvents(call, query),
    follow: (given) => followEvents(call, given),
    redeliver: (what) => post('/redeliveries', what),
    // If the first answer was lost, nobody has that token.
    createDeliveryView: () => post('/delivery-views', undefined, true),
    sendTestEvent: () => post('/test-event', undefined),
  }
}
