import { setTimeout as sleep } from 'node:timers/promises'
import type { Currency } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { Circuit } from '../gateway/circuit.ts'
import type { Gateway } from '../gateway/types.ts'
import type { CashierSession, KnownCurrency, Store, StoredCurrency, Tx } from '../store/types.ts'
import { gatewayProblem } from './gateway-problem.ts'
import { withNetworkIcons, withOwnIcons } from './network-icons.ts'
import { readCurrencyList, type ChangedMeaning } from './read-currency-list.ts'

/** How long a request waits for a newer list when an older one is stored. */
const LIST_WAIT_MS = 1000

/** How old the list may be before the gateway is asked again. */
const FRESH_MS = 10_000

export interface CurrencyCacheOptions {
  readonly store: Store
  readonly gateway: Gateway
  readonly circuit: Circuit
  readonly clock: () => number
}

export interface CurrencyCache {
  /** The enabled currencies; the stored ones while the gateway is down. @throws Problem if there are none */
  list(): Promise<readonly Currency[]>
  /** The cached or stored currencies, without asking the gateway; empty if the gateway has never answered. */
  known(): Promise<readonly Currency[]>
  /** Asks the gateway now. @throws a gateway error */
  refresh(): Promise<readonly Currency[]>
  /** A listed currency that the session may use. @throws Problem `not_found` */
  forSession(session: CashierSession, id: string): Promise<Currency>
}

export const notOffered = (): Problem => new Problem('not_found', 'This currency is not offered here.')

const plain = ({
  listed: _listed,
  listed_as: _listedAs,
  report: _report,
  ...currency
}: KnownCurrency & Partial<StoredCurrency>): Currency => currency

const strandedKey = ({ id }: Currency): string => `currency ${id}`

/** The currencies of which somebody has money under an id that is not offered any more, and which nobody has told. */
async function strandedOf(
  { ledger, quarantine }: Pick<Tx, 'ledger' | 'quarantine'>,
  renamed: readonly ChangedMeaning[],
): Promise<readonly ChangedMeaning[]> {
  const found: ChangedMeaning[] = []
  for (const one of renamed)
    if (
      (await ledger.holdsMoney(one.stored.id)) &&
      (await quarantine.openAbout(strandedKey(one.stored), ['contradiction'])) === null
    )
      found.push(one)
  return found
}

/** The merchant's currencies, cached for ten seconds for all callers, and stored. */
export function createCurrencyCache({ store, gateway, circuit, clock }: CurrencyCacheOptions): CurrencyCache {
  let current: { readonly list: readonly Currency[]; readonly atMs: number } | null = null
  let asking: Promise<readonly Currency[]> | null = null

  /** Stores the list, and reports each id that now means another currency. */
  const save = (reply: readonly Currency[]): Promise<readonly Currency[]> =>
    store.transaction(async (tx) => {
      await tx.currencies.lockAll()
      const known = await tx.currencies.withReports()
      const held = new Set<string>()
      for (const { id, listed_as, report } of known)
        if (listed_as !== null && report === null && (await tx.ledger.holdsMoney(id, ['held']))) held.add(id)
      const { offered, changed, renamed, readdressed } = readCurrencyList(reply, known, held)
      for (const { report } of changed.map(({ stored }) => stored))
        if (report !== null) await tx.quarantine.settle(report, { by: 'system', now: tx.now })
      await tx.currencies.replaceListed(offered, tx.now)
      await tx.addresses.deleteOf(readdressed)
      const stranded = await strandedOf(tx, renamed)
      if (changed.length + stranded.length === 0) return offered
      const unit = await tx.load({ users: [] })
      for (const { stored, listed } of changed) {
        await tx.currencies.markChanged(stored.id, listed)
        unit.quarantineOnce({
          reason: 'contradiction',
          event_name: null,
          user_reference_id: null,
          // The key of the line: a currency has no transaction.
          transaction_uuid: stored.id,
          event: JSON.stringify({ stored: plain(stored), listed }),
        })
      }
      for (const { stored, listed } of stranded)
        unit.quarantineOnce({
          reason: 'contradiction',
          event_name: null,
          user_reference_id: null,
          transaction_uuid: strandedKey(stored),
          event: JSON.stringify({ stored: plain(stored), listed }),
        })
      await tx.save(unit)
      return offered
    })

  const ask = async (): Promise<readonly Currency[]> => {
    const reply = await circuit.run(() => gateway.listCurrencies())
    const known = await store.currencies.withReports()
    const read = readCurrencyList(reply, known)
    const before = known.filter(({ listed }) => listed).map(plain)
    // A lent icon is not stored: it would look like the currency's own.
    const isChanged =
      read.changed.length > 0 ||
      (await strandedOf(store, read.renamed)).length > 0 ||
      JSON.stringify(before) !== JSON.stringify(withOwnIcons(read.offered, known))
    const listed = withNetworkIcons(isChanged ? await save(reply) : read.offered, known)
    const text = JSON.stringify(listed)
    // An unchanged list stays the same object, so that values derived from it can be cached.
    const list = current !== null && JSON.stringify(current.list) === text ? current.list : listed
    current = { list, atMs: clock() }
    return list
  }

  const refresh = (): Promise<readonly Currency[]> => {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }

  const stored = async (): Promise<readonly Currency[]> => {
    const known = await store.currencies.all()
    return withNetworkIcons(known.filter(({ listed }) => listed).map(plain), known)
  }

  /** A time in the future comes from before the clock was set back. */
  const isFresh = (atMs: number): boolean => {
    const age = clock() - atMs
    return age >= 0 && age < FRESH_MS
  }

  const known = (): Promise<readonly Currency[]> =>
    current !== null && isFresh(current.atMs) ? Promise.resolve(current.list) : stored()

  const list = async (): Promise<readonly Currency[]> => {
    if (current !== null && isFresh(current.atMs)) return current.list
    const older = await stored()
    if (older.length === 0)
      return refresh().catch((error: unknown) => {
        throw gatewayProblem(error)
      })
    if (circuit.isDown()) return older
    return Promise.race([refresh(), sleep(LIST_WAIT_MS, older, { ref: false })]).catch(() => older)
  }

  return {
    list,
    known,
    refresh,
    async forSession(session, id) {
      const allowed = session.currency_ids === null || session.currency_ids.includes(id)
      const found = allowed ? (await list()).find((currency) => currency.id === id) : undefined
      // Another instance may have read a newer list, in which the id means another currency.
      if (!found || (await store.currencies.byId(id))?.listed !== true) throw notOffered()
      return found
    },
  }
}
