import type { TransactionKind } from '#lib/contract/stream.ts'
import type { Dispute, TransactionRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** The gateway's event of each kind of transaction. */
export const EVENT_NAMES: Readonly<Record<TransactionKind, string>> = {
  deposit: 'User Deposit',
  payout: 'User Payout',
  onramp: 'User Onramp',
}

/** One open line for each transaction, with what contradicts it. */
export const reportDispute = (
  unit: UnitOfWork,
  reason: Dispute,
  about: Pick<TransactionRow, 'kind' | 'transaction_uuid' | 'user_reference_id'>,
  evidence: string,
): void =>
  unit.quarantineOnce({
    reason,
    event_name: EVENT_NAMES[about.kind],
    user_reference_id: about.user_reference_id,
    transaction_uuid: about.transaction_uuid,
    event: evidence,
  })

/**
 * What stands, and the message that contradicts it, as JSON. The message stays text: its numbers may have more digits
 * than a parsed number keeps.
 * @param ending the end of the JSON, perhaps with a further field
 */
export const contradicted = (stands: object | null, message: string, ending = '}'): string =>
  `{"stands":${JSON.stringify(stands)},"message":${message}${ending}`
