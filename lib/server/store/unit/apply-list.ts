import { setImmediate } from 'node:timers/promises'
import { applyMisplaced, applyRecords, type ListOptions } from '../../ledger/apply-records.ts'
import { possibleFacts, type Fact, type ListedRecord } from '../../ledger/facts.ts'
import type { recordsOf } from '../tables/records.ts'
import type { transactionsOf } from '../tables/transactions.ts'
import type { UnitTransaction } from './unit-transaction.ts'
import type { withdrawalsOf } from '../tables/withdrawals.ts'

interface ListStore {
  readonly records: Pick<ReturnType<typeof recordsOf>, 'byUuids'>
  readonly withdrawals: Pick<ReturnType<typeof withdrawalsOf>, 'anyUnlinked'>
  readonly transactions: Pick<ReturnType<typeof transactionsOf>, 'awaitingRecords' | 'factsOf'>
  transaction<T>(work: (tx: UnitTransaction) => Promise<T>): Promise<T>
}

/** Records in one transaction; with more, other transactions would wait too long. */
const UNIT = 200
/** Records that one read compares with the stored ones. */
const READ = 1000

const chunks = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_item, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/**
 * The records that differ from the stored ones, or that may belong to a withdrawal that is newer than the record.
 * Records of unknown types are included if a webhook about them may have come since, and records whose status has got a
 * meaning since.
 */
async function unsettled(
  store: Pick<ListStore, 'records' | 'withdrawals' | 'transactions'>,
  user: string,
  records: readonly ListedRecord[],
): Promise<{ readonly changed: ReadonlySet<ListedRecord>; readonly wanted: readonly ListedRecord[] }> {
  const changed = new Set<ListedRecord>()
  for (const part of chunks(records, READ)) {
    const rows = await store.records.byUuids(
      user,
      part.map(({ transaction_uuid }) => transaction_uuid),
    )
    const known = new Map(rows.map((row) => [row.transaction_uuid, row.record]))
    for (const listed of part) if (known.get(listed.transaction_uuid) !== listed.record) changed.add(listed)
  }
  const isKnownPayout = (listed: ListedRecord): boolean => listed.fact?.kind === 'payout' && !changed.has(listed)
  const again = records.some(isKnownPayout) && (await store.withdrawals.anyUnlinked(user))
  const untyped = records.filter((listed) => listed.fact === null && !changed.has(listed))
  const awaited = new Set(
    await store.transactions.awaitingRecords(untyped.map(({ transaction_uuid }) => transaction_uuid)),
  )
  const learned = records.filter((listed) => listed.learned === true && !changed.has(listed))
  const reread = new Set(learned.length === 0 ? [] : await withoutFact(store, learned))
  const isWanted = (listed: ListedRecord): boolean =>
    changed.has(listed) ||
    reread.has(listed) ||
    (again && isKnownPayout(listed)) ||
    (listed.fact === null && awaited.has(listed.transaction_uuid))
  return { changed, wanted: records.filter(isWanted) }
}

/** The records whose facts are not stored, under their status and user. */
async function withoutFact(
  { transactions }: Pick<ListStore, 'transactions'>,
  records: readonly ListedRecord[],
): Promise<readonly ListedRecord[]> {
  const stored = await transactions.factsOf(records.map(({ transaction_uuid }) => transaction_uuid))
  const nameOf = ({ kind, transaction_uuid, status, user_reference_id }: Fact): string =>
    JSON.stringify([kind, transaction_uuid, status, user_reference_id])
  const known = new Set(stored.map(nameOf))
  return records.filter(({ fact }) => fact !== null && !known.has(nameOf(fact)))
}

/**
 * Applies a user's list, oldest records first, in transactions of at most 200. An unchanged record costs only its share
 * of one read.
 */
export const listApplier =
  (store: ListStore) =>
  async (user: string, records: readonly ListedRecord[], options: ListOptions): Promise<number> => {
    const isOwn = (listed: ListedRecord): boolean => listed.user_reference_id === user
    const { changed, wanted } = await unsettled(store, user, records.filter(isOwn))
    // The gateway contradicts itself, or does not limit the list to its user: such records book nothing.
    for (const part of chunks(
      records.filter((listed) => !isOwn(listed)),
      UNIT,
    )) {
      const misplaced = await withoutFact(store, part)
      if (misplaced.length > 0)
        await store.transaction(async (tx) => {
          const unit = await tx.load({ users: [user], transactions: misplaced.flatMap(possibleFacts) })
          applyMisplaced(unit, misplaced, options)
          await tx.save(unit)
        })
    }
    let applied = 0
    for (const [index, part] of chunks(wanted.toReversed(), UNIT).entries()) {
      // Lets other requests run first.
      if (index > 0) await setImmediate()
      applied += await store.transaction(async (tx) => {
        const facts = part.flatMap(possibleFacts)
        const unit = await tx.load({ users: [user], transactions: facts })
        // The user was erased while the list was read.
        if (!unit.hasUser(user)) return 0
        await tx.loadRelated(unit, facts)
        const count = applyRecords(unit, part.toReversed(), (listed) => changed.has(listed), options)
        await tx.save(unit)
        return count
      })
    }
    return applied
  }
