import { setImmediate } from 'node:timers/promises'
import {
  applyMisplaced,
  applyRecords,
  reportForeign,
  reportRetyped,
  reportTypedBack,
  retypedAs,
  type ListOptions,
  type Retyped,
} from '../../ledger/apply-records.ts'
import { possibleFacts, type Fact, type ListedRecord } from '../../ledger/facts.ts'
import { asOwnRecord, foreignNames, spelledOtherwise } from '../../ledger/record-owner.ts'
import { possibleTransactions, reportGivenAway } from '../../ledger/vanished-records.ts'
import type { quarantineOf } from '../tables/quarantine.ts'
import type { recordsOf } from '../tables/records.ts'
import type { transactionsOf } from '../tables/transactions.ts'
import type { usersOf } from '../tables/users.ts'
import type { UnitTransaction } from './unit-transaction.ts'

interface ListStore {
  readonly users: Pick<ReturnType<typeof usersOf>, 'knownAmong'>
  readonly quarantine: Pick<ReturnType<typeof quarantineOf>, 'reported'>
  readonly records: Pick<ReturnType<typeof recordsOf>, 'byUuids'>
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

/** What a record says of a transfer. The rest, such as its value in dollars, may be another at each read. */
function saidIn(record: string): string {
  const { currency, ...all } = JSON.parse(record) as Readonly<Record<string, unknown>>
  const { id, code, network } = (currency ?? {}) as Readonly<Record<string, unknown>>
  const transfer = [all['type'], all['status'], all['amount'], all['user_ref_id'], all['to_address'], all['tx_hash']]
  return JSON.stringify([...transfer, all['inserted_at'], id, code, network])
}

/** How a record differs from the stored one. */
interface Change {
  /** Since when the list has said what the record says; null: only now. */
  readonly sinceMs: number | null
  readonly retyped: Retyped
}

/**
 * The records that differ from the stored ones, and since when the list has said of each what it says. Records of
 * unknown types are included if a webhook about them may have come since, and records whose status has got a meaning,
 * or lost it, since.
 */
async function unsettled(
  store: Pick<ListStore, 'records' | 'transactions'>,
  user: string,
  records: readonly ListedRecord[],
): Promise<{
  readonly changed: ReadonlyMap<ListedRecord, Change>
  readonly wanted: readonly ListedRecord[]
}> {
  const changed = new Map<ListedRecord, Change>()
  for (const part of chunks(records, READ)) {
    const rows = await store.records.byUuids(
      user,
      part.map(({ transaction_uuid }) => transaction_uuid),
    )
    const known = new Map(rows.map((row) => [row.transaction_uuid, row]))
    for (const listed of part) {
      const { record, seen_ms, type } = known.get(listed.transaction_uuid) ?? { record: null, seen_ms: null }
      if (record === listed.record) continue
      const isSame = record !== null && saidIn(record) === saidIn(listed.record)
      changed.set(listed, { sinceMs: isSame ? seen_ms : null, retyped: retypedAs(type, listed) })
    }
  }
  const untyped = records.filter((listed) => listed.fact === null && !changed.has(listed))
  const awaited = new Set(
    await store.transactions.awaitingRecords(untyped.map(({ transaction_uuid }) => transaction_uuid)),
  )
  const changeable = records.filter((listed) => listed.changeable === true && !changed.has(listed))
  const reread = new Set(changeable.length === 0 ? [] : await withoutFact(store, changeable))
  const isWanted = (listed: ListedRecord): boolean =>
    changed.has(listed) || reread.has(listed) || (listed.fact === null && awaited.has(listed.transaction_uuid))
  return { changed, wanted: records.filter(isWanted) }
}

/** The records of the list's own user, as facts about that user, and the records of others. */
async function byOwner(
  { users }: Pick<ListStore, 'users'>,
  user: string,
  records: readonly ListedRecord[],
): Promise<{ readonly own: readonly ListedRecord[]; readonly foreign: readonly ListedRecord[] }> {
  const names = records.map(({ user_reference_id }) => user_reference_id)
  const asked = spelledOtherwise(user, names)
  const others = foreignNames(user, names, asked.length === 0 ? new Set() : await users.knownAmong(asked))
  const isForeign = (listed: ListedRecord): boolean => others.has(listed.user_reference_id)
  return {
    own: records.filter((listed) => !isForeign(listed)).map((listed) => asOwnRecord(user, listed)),
    foreign: records.filter(isForeign),
  }
}

/** The records whose facts are not stored, under their status and user, or were taken back since. */
async function withoutFact(
  { transactions }: Pick<ListStore, 'transactions'>,
  records: readonly ListedRecord[],
): Promise<readonly ListedRecord[]> {
  const stored = await transactions.factsOf(records.map(({ transaction_uuid }) => transaction_uuid))
  const nameOf = ({ kind, transaction_uuid, status, user_reference_id }: Fact): string =>
    JSON.stringify([kind, transaction_uuid, status, user_reference_id])
  const known = new Set(stored.filter(({ taken_back }) => taken_back === undefined).map(nameOf))
  return records.filter(({ fact }) => fact !== null && !known.has(nameOf(fact)))
}

/** The foreign records whose content is not known yet, that were not reported yet, and that this list had as the user's. */
async function newForeign(
  store: Pick<ListStore, 'transactions' | 'quarantine' | 'records'>,
  user: string,
  records: readonly ListedRecord[],
): Promise<Readonly<Record<'misplaced' | 'unreported' | 'givenAway', readonly ListedRecord[]>>> {
  const uuids = records.map(({ transaction_uuid }) => transaction_uuid)
  const reported = await store.quarantine.reported(user, 'foreign_record', uuids)
  const own = new Set((await store.records.byUuids(user, uuids)).map(({ transaction_uuid }) => transaction_uuid))
  return {
    misplaced: await withoutFact(store, records),
    unreported: records.filter(({ transaction_uuid }) => !reported.has(transaction_uuid)),
    givenAway: records.filter(({ transaction_uuid }) => own.has(transaction_uuid)),
  }
}

/**
 * Applies a user's list, oldest records first, in transactions of at most 200. An unchanged record costs only its share
 * of one read.
 */
export const listApplier =
  (store: ListStore) =>
  async (user: string, records: readonly ListedRecord[], options: ListOptions): Promise<number> => {
    const { own, foreign } = await byOwner(store, user, records)
    const { changed, wanted } = await unsettled(store, user, own)
    // The gateway contradicts itself, or does not limit the list to its user: such records book nothing.
    for (const part of chunks(foreign, UNIT)) {
      const { misplaced, unreported, givenAway } = await newForeign(store, user, part)
      if (misplaced.length + unreported.length + givenAway.length > 0)
        await store.transaction(async (tx) => {
          const users = [user, ...misplaced.map(({ user_reference_id }) => user_reference_id)]
          const own = givenAway.flatMap(({ transaction_uuid }) => possibleTransactions(transaction_uuid))
          const unit = await tx.load({ users, transactions: [...misplaced.flatMap(possibleFacts), ...own] })
          // The user was erased while the list was read.
          if (!unit.hasUser(user)) return
          applyMisplaced(unit, misplaced, options)
          reportForeign(unit, user, unreported)
          reportGivenAway(unit, user, givenAway)
          await tx.save(unit)
        })
    }
    const known = wanted.filter((listed) => changed.get(listed)?.retyped === 'known')
    const uuids = known.map(({ transaction_uuid }) => transaction_uuid)
    const told = uuids.length === 0 ? new Set<string>() : await store.quarantine.reported(user, 'contradiction', uuids)
    let applied = 0
    for (const [index, part] of chunks(wanted.toReversed(), UNIT).entries()) {
      // Lets other requests run first.
      if (index > 0) await setImmediate()
      applied += await store.transaction(async (tx) => {
        const facts = part.flatMap(possibleFacts)
        const unit = await tx.load({ users: [user], transactions: facts, currencies: 'all' })
        // The user was erased while the list was read.
        if (!unit.hasUser(user)) return 0
        await tx.loadRelated(unit, facts)
        const saidSince = (listed: ListedRecord): number | null => {
          const change = changed.get(listed)
          return change === undefined ? null : (change.sinceMs ?? unit.now)
        }
        const count = applyRecords(unit, part.toReversed(), saidSince, options)
        const retyped = (as: Retyped) => part.filter((listed) => changed.get(listed)?.retyped === as)
        reportRetyped(unit, retyped('unknown'))
        reportTypedBack(unit, retyped('known'), told)
        await tx.save(unit)
        return count
      })
    }
    return applied
  }
