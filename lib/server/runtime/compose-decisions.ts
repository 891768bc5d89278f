/** Supplies the console's decisions with their dependencies; the acts are the merchant's use cases. */
import { randomUUID } from 'node:crypto'
import { MERCHANT_SCOPES } from '#lib/contract/merchant-scopes.ts'
import type { createDecideWithdrawal } from '../merchant/decide-withdrawal.ts'
import type { createResolveQuarantine } from '../merchant/resolve-quarantine.ts'
import type { createResolveWithdrawal } from '../merchant/resolve-withdrawal.ts'
import type { createSetPayoutOwner } from '../merchant/set-payout-owner.ts'
import type { MerchantCaller } from '../merchant/merchant-caller.ts'
import { CAN_APPLY } from '../merchant/quarantine-reasons.ts'
import type { ClockOffset } from '../ledger/gateway-time.ts'
import type { AuditedAct, RecordAudit } from '../operate/audit/record-audit.ts'
import { createDecidePending } from '../operate/decide/decide-pending.ts'
import { createGiveOwner } from '../operate/decide/give-owner.ts'
import { createPayoutDecision } from '../operate/decide/payout-decision.ts'
import { createProposals } from '../operate/decide/proposals.ts'
import { createQuarantineLine, type QuarantineLineOptions } from '../operate/decide/quarantine-line.ts'
import { createSettleLines } from '../operate/decide/settle-lines.ts'
import { createSettleUncertain } from '../operate/decide/settle-uncertain.ts'
import { createWithdrawalDecision } from '../operate/decide/withdrawal-decision.ts'
import type { Decider, Store } from '../store/types.ts'
import type { Config } from './config/config.ts'
import { createUserReads } from './user-reads.ts'

/** The merchant's use cases that decide. */
export interface DecisionActs {
  readonly decide: ReturnType<typeof createDecideWithdrawal>
  readonly resolveWithdrawal: ReturnType<typeof createResolveWithdrawal>
  readonly setPayoutOwner: ReturnType<typeof createSetPayoutOwner>
  readonly resolveQuarantine: ReturnType<typeof createResolveQuarantine>
}

export interface ComposeDecisionsOptions {
  readonly store: Store
  readonly clock: () => number
  readonly clockOffset: () => ClockOffset
  readonly config: Pick<Config, 'ledgerMode' | 'twoPersonsAbove' | 'withdrawalAbsenceS'>
  readonly log: { readonly error: (fields: object, message: string) => void }
  readonly acts: DecisionActs
  readonly stories: QuarantineLineOptions['stories']
  readonly audited: AuditedAct
  readonly recordAudit: RecordAudit
}

export function composeDecisions(options: ComposeDecisionsOptions) {
  const { store, clock, clockOffset, config, log, acts, stories, audited, recordAudit } = options
  const { twoPersonsAbove } = config
  const callerOf = (by: Decider): MerchantCaller => ({ by, scopes: MERCHANT_SCOPES })
  const proposals = createProposals({
    store,
    clock,
    newId: randomUUID,
    audited,
    acts: {
      not_sent: ({ withdrawal_id }, note, by) =>
        acts.resolveWithdrawal(withdrawal_id ?? '', { outcome: 'not_sent', note }, callerOf(by)),
      sent: ({ withdrawal_id, transaction_uuid }, note, by, mayDecide) =>
        acts.resolveWithdrawal(
          withdrawal_id ?? '',
          { outcome: 'sent', transaction_uuid: transaction_uuid ?? '', note },
          callerOf(by),
          mayDecide,
        ),
      owner: ({ withdrawal_id, transaction_uuid }, note, by, mayDecide) =>
        acts.setPayoutOwner(
          transaction_uuid ?? '',
          withdrawal_id === null ? { acknowledged: true, note } : { withdrawal_id, note },
          by,
          mayDecide,
        ),
    },
  })
  const shared = { store, clock, clockOffset, twoPersonsAbove, proposals, audited, recordAudit }
  return {
    withdrawalDecision: createWithdrawalDecision({
      ...shared,
      absenceMs: config.withdrawalAbsenceS * 1000,
      userReads: createUserReads(config.ledgerMode === 'embedded'),
    }),
    decidePending: createDecidePending({ ...shared, decide: acts.decide }),
    settleUncertain: createSettleUncertain({
      ...shared,
      resolve: (id, resolution, by, mayDecide) => acts.resolveWithdrawal(id, resolution, callerOf(by), mayDecide),
    }),
    payoutDecision: createPayoutDecision(shared),
    giveOwner: createGiveOwner({ ...shared, setOwner: acts.setPayoutOwner }),
    quarantineLine: createQuarantineLine({ ...shared, stories, canApply: (reason) => CAN_APPLY[reason] }),
    settleLines: createSettleLines({
      ...shared,
      resolve: (id, resolution, by, mayDecide) => acts.resolveQuarantine(id, resolution, callerOf(by), mayDecide),
      onFault: (err, quarantine_id) => log.error({ err, quarantine_id }, 'a line of the quarantine was not settled'),
    }),
    proposals,
  }
}
