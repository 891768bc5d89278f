/** What a proposal does once it is confirmed, and the state in which its subject must still be then. */
import * as z from 'zod/mini'
import type { Decimal } from '#lib/contract/money.ts'
import type { ProposalKind } from '#lib/contract/operate/decide.ts'
import type { PayoutRow, ProposalRow, Reader, WithdrawalRow } from '../../store/types.ts'

const contentSchema = z.object({
  /** Null if a payout is acknowledged as none of ours. */
  withdrawal_id: z.nullable(z.string()),
  /** Null for `not_sent`. */
  transaction_uuid: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  currency_code: z.string(),
})

/** Of which withdrawal and which payout it decides, and how much that is. */
export interface ProposalContent extends Readonly<z.infer<typeof contentSchema>> {
  readonly amount: Decimal | null
}

export const contentText = (content: ProposalContent): string => JSON.stringify(content)

export const contentOf = ({ content }: Pick<ProposalRow, 'content'>): ProposalContent =>
  contentSchema.parse(JSON.parse(content)) as ProposalContent

const ofWithdrawal = (row: WithdrawalRow | null) =>
  row === null ? null : [row.status, row.transaction_uuid, row.record_status, row.paid_amount]

const ofPayout = (row: PayoutRow | null) =>
  row === null
    ? null
    : [
        ...[row.user_reference_id, row.currency_code, row.network, row.amount, row.to_address],
        ...[row.owner, row.withdrawal_id, row.status, row.inserted_ms, row.awaits_list],
      ]

/** The state that a proposer sees, as text: everything on which a second person would decide otherwise. */
export async function subjectState(
  reader: Pick<Reader, 'withdrawals' | 'payouts'>,
  kind: ProposalKind,
  { withdrawal_id, transaction_uuid }: Pick<ProposalContent, 'withdrawal_id' | 'transaction_uuid'>,
): Promise<string> {
  const withdrawal = withdrawal_id === null ? null : await reader.withdrawals.find(withdrawal_id)
  const payout = transaction_uuid === null ? null : await reader.payouts.find(transaction_uuid)
  const user = withdrawal?.user_reference_id
  // While a payout belongs to nothing, a withdrawal cannot be unsent.
  const open = kind === 'not_sent' && user !== undefined ? await reader.payouts.openOf([user]) : []
  const uuids = open.map((row) => row.transaction_uuid).sort()
  return JSON.stringify([ofWithdrawal(withdrawal), ofPayout(payout), uuids])
}
