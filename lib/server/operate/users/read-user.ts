/** Everything that support asks about one user, on one page. */
import * as z from 'zod/mini'
import type { UserSession, UserTotals, UserView } from '#lib/contract/operate/users.ts'
import { canonical, decimal } from '#lib/contract/money.ts'
import { Problem } from '#lib/contract/problems.ts'
import { comparableAddress, networkKey } from '#lib/addresses/index.ts'
import type { KnownCurrency, Store, StoredSession } from '../../store/types.ts'
import { balanceValue } from './balance-values.ts'

/** The newest rows of each kind; the lists have the others. */
const MOST_ROWS = 20
const MOST_SESSIONS = 50
const MOST_DESTINATIONS = 200

export interface ReadUserOptions {
  readonly store: Store
  /** `VALUES` is on. */
  readonly values: boolean
  readonly sessionLimits: { readonly idleMs: number; readonly maxMs: number }
  readonly clock: () => number
}

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null | undefined): string | null => (ms == null ? null : iso(ms))

function sessionState(
  { session, launched_ms, ended_ms }: StoredSession,
  limits: ReadUserOptions['sessionLimits'],
  nowMs: number,
): UserSession['state'] {
  if (ended_ms !== null) return 'ended'
  const isOver = nowMs >= session.last_used_ms + limits.idleMs || nowMs >= session.created_ms + limits.maxMs
  if (isOver) return 'expired'
  return launched_ms === null ? 'waiting' : 'launched'
}

const sessionView = (stored: StoredSession, limits: ReadUserOptions['sessionLimits'], nowMs: number): UserSession => {
  const { id, created_ms, last_used_ms, flows, locale, country } = stored.session
  return {
    ...{ id, state: sessionState(stored, limits, nowMs), created_at: iso(created_ms) },
    launched_at: isoOrNull(stored.launched_ms),
    last_used_at: iso(last_used_ms),
    ended_at: isoOrNull(stored.ended_ms),
    ...{ flows: [...flows], locale, country },
  }
}

const differing = z.array(
  z.object({
    kind: z.enum(['deposit', 'payout', 'onramp']),
    transaction_uuid: z.nullable(z.string()),
    withdrawal_id: z.nullable(z.string()),
    gateway: z.string(),
    ledger: z.string(),
  }),
)

type Destination = Awaited<ReturnType<Store['withdrawals']['destinations']>>[number]

/** Each address once, with how often and when it was sent to last; newest first. */
function sentTo(destinations: readonly Destination[]): UserView['sent_to'] {
  const found = Map.groupBy(destinations, ({ network, wallet_address }) =>
    [networkKey(network), comparableAddress(network, wallet_address)].join(' '),
  )
  return [...found.values()].flatMap((all) => {
    const [newest] = all
    if (newest === undefined) return []
    const { wallet_address: address, network, created_ms } = newest
    return [{ address, network, count: all.length, last_at: iso(created_ms) }]
  })
}

const namesOf = (currencies: readonly KnownCurrency[]) => {
  const byId = new Map(currencies.map((currency) => [currency.id, currency]))
  return (currency_id: string) => ({
    currency_id,
    currency_code: byId.get(currency_id)?.currency_code ?? '',
    network: byId.get(currency_id)?.network ?? '',
  })
}

/** @throws Problem `not_found` if nothing is stored about the user */
export const createReadUser =
  ({ store, values, sessionLimits, clock }: ReadUserOptions) =>
  async (user: string): Promise<UserView> => {
    const nowMs = clock()
    const newest = { first_seen_ms: Number.MAX_SAFE_INTEGER, transaction_uuid: '' }
    const [known, hasData, restoredMs, currencies, measurements] = await Promise.all([
      store.users.find(user),
      store.erasure.hasData(user),
      store.reconciliation.restoredMs(),
      store.currencies.all(),
      values ? store.measurements.all() : [],
    ])
    const [transactions, withdrawals, payouts, purchases] = await Promise.all([
      store.transactions.ofUser(user, 0, MOST_ROWS),
      store.withdrawals.ofUser(user, 0, MOST_ROWS),
      store.payouts.page({ owner: undefined, user_reference_id: user }, newest, MOST_ROWS),
      store.onramps.ofUser(user, MOST_ROWS),
    ])
    const rows = [transactions, withdrawals, payouts, purchases]
    if (!hasData && rows.every((some) => some.length === 0))
      throw new Problem('not_found', 'Nothing is stored about this user.')
    const [balances, totals, sessions, addresses, destinations, lines] = await Promise.all([
      store.ledger.balances(user),
      store.controlTotals.withTime(user),
      store.sessions.ofUser(user, MOST_SESSIONS),
      store.addresses.ofUser(user),
      store.withdrawals.destinations(user, MOST_DESTINATIONS),
      store.quarantine.ofUser(user, MOST_ROWS),
    ])
    const nameOf = namesOf(currencies)
    const isBefore = (ms: number | null): boolean => restoredMs !== null && (ms ?? 0) < restoredMs
    return {
      user_reference_id: user,
      is_known: known?.known === 1,
      created_at: isoOrNull(known?.created_ms),
      last_seen_at: isoOrNull(known?.last_seen_ms),
      list: {
        whole_at: isoOrNull(known?.whole_ms),
        next_at: isoOrNull(known?.reconcile_in_ms == null ? null : nowMs + Math.max(0, known.reconcile_in_ms)),
        is_being_read: known?.is_claimed === true,
        unreadable_since: isoOrNull(known?.unreadable_ms),
        is_unchecked: known !== null && isBefore(known.totals_ms) && isBefore(known.cleared_ms),
      },
      balances: balances.map(({ currency_id, available, held, overdraft }) => ({
        ...nameOf(currency_id),
        ...{ available: canonical(available), held: canonical(held), overdraft },
        value: balanceValue({ available, held }, nameOf(currency_id), measurements, nowMs),
      })),
      totals: {
        checked_at: isoOrNull(known?.totals_ms),
        currencies: totals.map(({ currency_id, gateway, ledger, difference, transactions: named }): UserTotals => ({
          ...nameOf(currency_id),
          ...{ gateway, ledger, difference, transactions: differing.parse(JSON.parse(named)) },
        })),
      },
      sessions: sessions.map((stored) => sessionView(stored, sessionLimits, nowMs)),
      addresses: addresses.map(({ address, currency, network }) => ({ address, currency, network })),
      sent_to: sentTo(destinations),
      quarantine: lines.map(({ id, reason, event_name, transaction_uuid, received_ms, settled_ms, settled_by }) => ({
        ...{ id, reason, event_name, transaction_uuid, received_at: iso(received_ms) },
        ...{ settled_at: isoOrNull(settled_ms), settled_by },
      })),
      transactions: transactions.map((row) => ({
        ...{ kind: row.kind, transaction_uuid: row.transaction_uuid, status: row.status, standing: row.standing },
        ...shownAmount(row),
        at: iso(row.created_ms),
      })),
      withdrawals: withdrawals.map((row) => ({
        ...{ id: row.id, status: row.status, to_address: row.wallet_address },
        ...shownAmount(row),
        at: iso(row.created_ms),
      })),
      payouts: payouts.map((row) => ({
        ...{ transaction_uuid: row.transaction_uuid, status: row.status, owner: row.owner },
        ...{ withdrawal_id: row.withdrawal_id, ...shownAmount(row), at: iso(row.first_seen_ms) },
      })),
      purchases: purchases.map((row) => ({
        ...{ id: row.id, status: row.status, fiat_currency: row.fiat_currency },
        ...{ transaction_uuid: row.transaction_uuid, ...shownAmount(row), at: iso(row.created_ms) },
      })),
      read_at: iso(nowMs),
    }
  }

const shownAmount = (row: {
  readonly amount: string | null
  readonly currency_code: string
  readonly network: string
}) => ({
  amount: row.amount === null ? null : canonical(decimal(row.amount)),
  currency_code: row.currency_code,
  network: row.network,
})
