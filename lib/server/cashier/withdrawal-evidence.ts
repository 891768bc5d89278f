import { isGatewayError, RejectedWithTransactionError, ValidationError, type GatewayError } from '../gateway/errors.ts'
import type { StatusReader } from '../gateway/status-words.ts'
import type { WithdrawReply } from '../gateway/types.ts'
import type { Evidence } from '../ledger/withdrawal-states.ts'

/** Codes that the page translates; the gateway's own message goes to the log only. */
type FailureReason =
  | 'refused'
  | 'refused_amount'
  | 'refused_wallet_address'
  | 'gateway_misconfigured'
  | 'gateway_busy'
  | 'gateway_unreachable'

function reasonOf(error: GatewayError): FailureReason {
  if (!(error instanceof ValidationError)) return 'refused'
  const fields = Object.keys(error.fields)
  if (fields.length !== 1) return 'refused'
  return fields[0] === 'amount'
    ? 'refused_amount'
    : fields[0] === 'wallet_address'
      ? 'refused_wallet_address'
      : 'refused'
}

/** The status of the transaction that an error reply names, if the reply has one. */
const statusOf = ({ transactionStatus }: RejectedWithTransactionError, statuses: StatusReader) =>
  transactionStatus === null ? null : statuses.record(transactionStatus)

const refused = (reason: FailureReason): Evidence => ({ kind: 'refused', failure: 'refused', reason })

const uncertain = (): Evidence => ({ kind: 'uncertain' })

const EVIDENCE: Readonly<Record<GatewayError['kind'], (error: GatewayError, statuses: StatusReader) => Evidence>> = {
  authentication: () => refused('gateway_misconfigured'),
  validation: (error) => refused(reasonOf(error)),
  forbidden: () => refused('refused'),
  not_available: uncertain,
  rate_limited: () => refused('gateway_busy'),
  rejected: () => refused('refused'),
  rejected_with_transaction: (error, statuses) =>
    error instanceof RejectedWithTransactionError
      ? { kind: 'error_reply', transaction_uuid: error.transactionUuid, status: statusOf(error, statuses) }
      : uncertain(),
  unreachable: () => ({ kind: 'refused', failure: 'unreachable', reason: 'gateway_unreachable' }),
  outcome_unknown: uncertain,
  unreadable: uncertain,
}

/**
 * What a failed withdraw call says about the withdrawal (docs/explanation/money.md, "What a withdraw call says"). An
 * error of our own says nothing.
 */
export const evidenceOf = (error: unknown, statuses: StatusReader): Evidence =>
  isGatewayError(error) ? EVIDENCE[error.kind](error, statuses) : uncertain()

/** What a reply that accepts the withdrawal says about it. */
export const acceptanceIn = (reply: WithdrawReply, statuses: StatusReader): Evidence => ({
  kind: 'accepted',
  requires_approval: reply.requires_approval,
  status: statuses.record(reply.status),
  amount: reply.amount,
  transaction_uuid: reply.transaction_uuid,
})
