import { setTimeout as sleep } from 'node:timers/promises'
import { csvLine } from '#lib/contract/csv.ts'
import type { StatementQuery } from '#lib/contract/merchant-requests.ts'
import { add, canonical, equals, isNegative, isZero, negate, ZERO, type Decimal } from '#lib/contract/money.ts'
import type { ExportedEntries, PostingPlace, Store, KnownCurrency, TransactionRow } from '../store/types.ts'
import { aboutEntry } from '../ledger/about-entry.ts'

/** Postings of one step; each holds up the other calls of the process for a few milliseconds. */
const STEP_POSTINGS = 250

const COLUMNS = [
  ...(['line', 'booked_at', 'user_reference_id', 'currency_id', 'currency_code', 'network', 'account'] as const),
  ...(['reason', 'amount', 'balance', 'amount_usd', 'transaction_uuid', 'withdrawal_id', 'reference', 'id'] as const),
] as const

type Line = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>

const text = (line: Line): string => csvLine(COLUMNS.map((name) => line[name] ?? ''))

type StatementStore = Pick<Store, 'exports' | 'currencies' | 'withdrawals' | 'transactions'>
type Entry = ExportedEntries['entries'][number]

const ACCOUNTS = ['available', 'held'] as const

/** Balances by currency and account: as many as there are currencies, however many entries. */
class Balances {
  readonly #accounts = new Map<string, Record<Entry['account'], Decimal>>()

  /** Returns the balance afterwards. */
  add({ currency_id, account, amount }: Entry): Decimal {
    const balances = this.#accounts.get(currency_id) ?? { available: ZERO, held: ZERO }
    this.#accounts.set(currency_id, balances)
    return (balances[account] = canonical(add(balances[account], amount)))
  }

  lines(line: 'opening' | 'closing', timeMs: number | null, currencies: Currencies): string {
    return [...this.#accounts.keys()]
      .toSorted()
      .flatMap((currency_id) =>
        ACCOUNTS.map((account) =>
          text({
            line,
            ...(timeMs !== null && { booked_at: new Date(timeMs).toISOString() }),
            ...currencyOf(currencies, currency_id),
            account,
            balance: this.#accounts.get(currency_id)?.[account] ?? ZERO,
          }),
        ),
      )
      .join('')
  }
}

type Currencies = ReadonlyMap<string, Pick<KnownCurrency, 'currency_code' | 'network'>>

const currencyOf = (currencies: Currencies, currency_id: string) => ({
  currency_id,
  currency_code: currencies.get(currency_id)?.currency_code ?? '',
  network: currencies.get(currency_id)?.network ?? '',
})

/**
 * `GET /api/merchant/statement.csv`: the balances before `from`, each entry of the users' accounts before `to` in the
 * order of users and bookings, and the balances after them; a `to` in the future counts as now. Balances are sums of
 * what was read, so that they fit the entries.
 */
export const createStatement =
  (store: StatementStore, clock: () => number) =>
  async ({ from, to, user_reference_id }: StatementQuery): Promise<AsyncIterable<string>> => {
    const currencies = new Map((await store.currencies.all()).map((currency) => [currency.id, currency]))
    const now = clock()
    await store.exports.settled()
    return linesOf(store, currencies, { user: user_reference_id, fromMs: from, untilMs: Math.min(to ?? now, now) })
  }

interface Period {
  readonly user: string | null
  /** Null: from the first entry on. */
  readonly fromMs: number | null
  readonly untilMs: number
}

async function* linesOf(
  store: StatementStore,
  currencies: Currencies,
  { user, fromMs, untilMs }: Period,
): AsyncIterable<string> {
  const balances = new Balances()
  yield text(Object.fromEntries(COLUMNS.map((name) => [name, name])))
  if (fromMs !== null) {
    for await (const step of stepsOf(store, user))
      for (const entry of step) if (entry.created_ms < fromMs) balances.add(entry)
  }
  yield balances.lines('opening', fromMs, currencies)
  for await (const step of stepsOf(store, user)) {
    const within = step.filter(({ created_ms }) => created_ms < untilMs && (fromMs === null || created_ms >= fromMs))
    if (within.length > 0) yield await entryLines(store, within, balances, currencies)
  }
  yield balances.lines('closing', untilMs, currencies)
}

async function* stepsOf(store: StatementStore, user: string | null): AsyncIterable<readonly Entry[]> {
  let after: PostingPlace | null = null
  do {
    const step: ExportedEntries = await store.exports.postingsAfter(user, after, STEP_POSTINGS)
    yield step.entries
    after = step.next
    await sleep(0)
  } while (after !== null)
}

async function entryLines(
  store: StatementStore,
  entries: readonly Entry[],
  balances: Balances,
  currencies: Currencies,
): Promise<string> {
  const about = entries.map((entry) => ({ entry, ...aboutEntry(entry) }))
  const withdrawals = await store.withdrawals.byIds(
    uniqueKeys(about.map(({ entry, withdrawal_id }) => [entry.user_reference_id, withdrawal_id])),
  )
  const payoutOf = new Map(withdrawals.map(({ id, transaction_uuid }) => [id, transaction_uuid]))
  const named = about.map((one) => ({
    ...one,
    transaction_uuid: one.transaction_uuid ?? payoutOf.get(one.withdrawal_id ?? '') ?? undefined,
  }))
  const uuids = [...new Set(named.flatMap(({ transaction_uuid }) => transaction_uuid ?? []))]
  const transactions = uuids.length === 0 ? [] : await store.transactions.byUuids(uuids)
  const valued = Map.groupBy(transactions, (row) => `${row.user_reference_id ?? ''} ${row.transaction_uuid}`)
  return named
    .map(({ entry, reason, transaction_uuid, withdrawal_id, reference }) => {
      const known = valued.get(`${entry.user_reference_id} ${transaction_uuid ?? ''}`) ?? []
      return text({
        line: 'entry',
        booked_at: new Date(entry.created_ms).toISOString(),
        user_reference_id: entry.user_reference_id,
        ...currencyOf(currencies, entry.currency_id),
        account: entry.account,
        reason,
        amount: canonical(entry.amount),
        balance: balances.add(entry),
        amount_usd: usdOf(entry, known),
        transaction_uuid: transaction_uuid ?? '',
        withdrawal_id: withdrawal_id ?? '',
        reference: reference ?? '',
        id: String(entry.id),
      })
    })
    .join('')
}

const uniqueKeys = (keys: readonly (readonly [string, string | undefined])[]) => [
  ...new Map(keys.flatMap(([user, id]) => (id === undefined ? [] : [[id, [user, id] as const] as const]))).values(),
]

/** The transaction's value in USD, with the entry's sign, where the entry moves the transaction's whole amount. */
function usdOf({ amount }: Entry, transactions: readonly TransactionRow[]): string {
  const row = transactions.find(
    (one) =>
      one.amount_usd !== null &&
      one.amount !== null &&
      (equals(one.amount, amount) || equals(one.amount, negate(amount))),
  )
  const value = row?.amount_usd ?? null
  if (value === null) return ''
  return isNegative(amount) && !isZero(value) ? negate(value) : value
}
