/** Reads of the user's list: its records, the stored records that it lacks, and payouts that another user has. */
import {
  applyMisplaced,
  applyRecords,
  reportForeign,
  reportRetyped,
  reportTypedBack,
  retypedAs,
  type ListOptions,
  type Retyped,
} from '#lib/server/ledger/apply-records.ts'
import type { ListedRecord } from '#lib/server/ledger/facts.ts'
import { asOwnRecord, ownerOfRecord } from '#lib/server/ledger/record-owner.ts'
import type { QuarantineLine, TakenPayout } from '#lib/server/ledger/rows.ts'
import type { MemoryLedger } from '#lib/server/ledger/testing/memory-ledger.ts'
import { UNCONFIRMED_STANDINGS } from '#lib/server/ledger/transaction-statuses.ts'
import { OPEN_WITHDRAWAL_STATUSES } from '#lib/server/ledger/withdrawal-statuses.ts'
import { reportGivenAway, reportReturned, reportVanished } from '#lib/server/ledger/vanished-records.ts'
import { USER } from '../wire.ts'
import { isKnownUser } from './settings.ts'

/** Applies the records of this user's list, as `store/unit/apply-list.ts` does it. */
export function applyList(
  ledger: MemoryLedger,
  now: number,
  records: readonly ListedRecord[],
  options: ListOptions,
): MemoryLedger {
  const stored = new Map(ledger.rows('records').map((row) => [row.transaction_uuid, row]))
  const changed = (listed: ListedRecord): boolean => stored.get(listed.transaction_uuid)?.record !== listed.record
  const reported = (about: QuarantineLine['reason']): ReadonlySet<string> =>
    new Set(
      [...ledger.quarantine, ...ledger.dismissed].flatMap(({ reason, transaction_uuid }) =>
        reason === about ? (transaction_uuid ?? []) : [],
      ),
    )
  const told = reported('contradiction')
  // As `transactions.awaitingRecords` finds them.
  const awaited = new Set(
    [
      ...ledger.rows('transactions').filter(({ standing }) => UNCONFIRMED_STANDINGS.includes(standing)),
      ...ledger.rows('withdrawals').filter(({ status }) => OPEN_WITHDRAWAL_STATUSES.some((open) => open === status)),
    ].flatMap(({ transaction_uuid }) => transaction_uuid ?? []),
  )
  const isOwn = ({ user_reference_id }: ListedRecord): boolean =>
    ownerOfRecord(USER, user_reference_id, isKnownUser) === 'own'
  const wanted = records
    .filter((one) => isOwn(one) && (changed(one) || (one.fact === null && awaited.has(one.transaction_uuid))))
    .map((one) => asOwnRecord(USER, one))
  const foreign = records.filter((one) => !isOwn(one))
  const before = reported('foreign_record')
  const unreported = foreign.filter(({ transaction_uuid }) => !before.has(transaction_uuid))
  if (wanted.length + foreign.length === 0) return ledger
  return ledger.run(now, (unit) => {
    applyMisplaced(unit, foreign, options)
    reportForeign(unit, USER, unreported)
    reportGivenAway(
      unit,
      USER,
      foreign.filter(({ transaction_uuid }) => stored.has(transaction_uuid)),
    )
    applyRecords(unit, wanted, (one) => (changed(one) ? now : null), options)
    const retyped = (as: Retyped) =>
      wanted.filter((one) => retypedAs(stored.get(one.transaction_uuid)?.type, one) === as)
    reportRetyped(unit, retyped('unknown'))
    reportTypedBack(unit, retyped('known'), told)
  }).ledger
}

/** Reports the stored records that a complete list lacks, or has again. */
export function reportMissing(ledger: MemoryLedger, now: number, records: readonly ListedRecord[]): MemoryLedger {
  const present = new Set(records.map(({ transaction_uuid }) => transaction_uuid))
  const gone = ledger.rows('records').filter(({ transaction_uuid }) => !present.has(transaction_uuid))
  const returned = ledger
    .rows('transactions')
    .filter(({ transaction_uuid, vanished_ms }) => vanished_ms !== null && present.has(transaction_uuid))
  if (gone.length + returned.length === 0) return ledger
  const uuids = gone.map(({ transaction_uuid }) => transaction_uuid)
  const contradictions = ledger.quarantine.filter(({ reason }) => reason === 'contradiction')
  const open = new Set(contradictions.flatMap(({ transaction_uuid }) => transaction_uuid ?? []))
  return ledger.run(now, (unit) => {
    reportReturned(unit, returned, open)
    reportVanished(unit, USER, uuids)
  }).ledger
}

/** The payouts of this user's list that another user has, as `quarantine.takenPayouts` reads them. */
export function takenIn(ledger: MemoryLedger): readonly TakenPayout[] {
  const isOthers = (row: { readonly user_reference_id: string; readonly transaction_uuid: string | null }): boolean =>
    row.user_reference_id !== USER && isKnownUser(row.user_reference_id)
  const others = new Set(
    [...ledger.rows('payouts'), ...ledger.rows('withdrawals')].filter(isOthers).map((row) => row.transaction_uuid),
  )
  const names = (lines: readonly QuarantineLine[], uuid: string): boolean =>
    lines.some(
      ({ reason, user_reference_id, transaction_uuid }) =>
        transaction_uuid === uuid &&
        user_reference_id === USER &&
        (reason === 'list_conflict' || reason === 'contradiction'),
    )
  return ledger
    .rows('records')
    .filter(({ user_reference_id, transaction_uuid }) => user_reference_id === USER && others.has(transaction_uuid))
    .map(({ transaction_uuid, record }) => ({
      transaction_uuid,
      record,
      isTold: names(ledger.quarantine, transaction_uuid),
    }))
    .filter(({ transaction_uuid, isTold }) => isTold || !names(ledger.dismissed, transaction_uuid))
}
