import type { TransactionKind } from '#lib/contract/stream.ts'
import type { Dispute, TakenPayout, TransactionRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** The gateway's event of each kind of transaction. */
export const EVENT_NAMES: Readonly<Record<TransactionKind, string>> = {
  deposit: 'User Deposit',
  payout: 'User Payout',
  onramp: 'User Onramp',
}

type Disputed = Pick<TransactionRow, 'kind' | 'transaction_uuid' | 'user_reference_id'>

/** A line about a transaction, with what contradicts it. */
export const disputeLine = <Event>(
  reason: Dispute,
  { kind, transaction_uuid, user_reference_id }: Disputed,
  event: Event,
) => ({ reason, event_name: EVENT_NAMES[kind], user_reference_id, transaction_uuid, event })

/** One open line for each transaction. */
export const reportDispute = (unit: UnitOfWork, reason: Dispute, about: Disputed, evidence: string): void =>
  unit.quarantineOnce(disputeLine(reason, about, evidence))

/**
 * Tells of a failure whose success a merchant who keeps the books may have booked: a restored database that has lost it
 * knows of no contradiction. Once the list was compared, every failure is news.
 */
export function reportLostSuccess(unit: UnitOfWork, about: Disputed, evidence: string): void {
  const { user_reference_id: user } = about
  if (user !== null && unit.isUncompared(user)) reportDispute(unit, 'contradiction', about, evidence)
}

/**
 * Tells of payouts in the user's list that another user has. Another user may have an open line about the same payout, so
 * each without an open line of this user gets one.
 */
export function reportTaken(unit: UnitOfWork, user: string, taken: readonly TakenPayout[]): void {
  for (const { transaction_uuid, record, isTold } of taken)
    if (!isTold)
      unit.quarantine({
        reason: 'list_conflict',
        event_name: EVENT_NAMES.payout,
        user_reference_id: user,
        transaction_uuid,
        event: record,
      })
}

/** Why a person cannot say that a withdrawal was not sent while `mayBeToldBy` holds for an event. */
export const UNREAD_DETAIL =
  'An event that was not applied may tell of a payout of this user. Dismiss its line in quarantine first.'

/** Why nobody can say that a withdrawal was not sent. */
export const takenDetail = (taken: readonly TakenPayout[]): string => {
  const uuids = taken.map(({ transaction_uuid }) => transaction_uuid).join(', ')
  return `The gateway's list of this user has payouts that another user has: ${uuids}. Dismiss their lines in quarantine first.`
}

/**
 * What stands, and the message that contradicts it, as JSON. The message stays text: its numbers may have more digits
 * than a parsed number keeps.
 * @param ending the end of the JSON, perhaps with a further field
 */
export const contradicted = (stands: object | null, message: string, ending = '}'): string =>
  `{"stands":${JSON.stringify(stands)},"message":${message}${ending}`
