/** The merchant's use cases on a store, with a gateway that accepts every withdrawal. */
import { STATUSES } from '../../gateway/testing/sample-record.ts'
import { createWithdrawalSteps } from '../../cashier/withdrawal-steps.ts'
import type { Gateway } from '../../gateway/types.ts'
import type { ListedRecord } from '../../ledger/facts.ts'
import { createDecideWithdrawal } from '../../merchant/decide-withdrawal.ts'
import { createResolveQuarantine } from '../../merchant/resolve-quarantine.ts'
import { createResolveWithdrawal } from '../../merchant/resolve-withdrawal.ts'
import { createSetPayoutOwner } from '../../merchant/set-payout-owner.ts'
import type { Store } from '../../store/types.ts'
import { reapply } from '../../webhooks/release-quarantine.ts'
import type { DecisionActs } from '../compose-decisions.ts'

export interface DecisionActsOptions {
  readonly store: Store
  readonly clock: () => number
  /** The gateway's list of any user. */
  readonly listed?: readonly ListedRecord[]
  /** Called for each withdrawal that is sent to the gateway. */
  readonly onSent?: () => void
}

export function decisionActs({ store, clock, listed = [], onSent }: DecisionActsOptions): DecisionActs {
  const gateway = {
    clockOffsetMs: () => 0,
    statuses: STATUSES,
    withdraw: ({ amount, wallet_address }: { readonly amount: string; readonly wallet_address: string }) => {
      onSent?.()
      const reply = { amount, currency: 'USDT', requires_approval: false, status: 'Processing', wallet_address }
      return Promise.resolve({ ...reply, transaction_uuid: null })
    },
  } as unknown as Gateway
  const rules = { store, ledgerMode: 'embedded', ledgerStartMs: 0, merchantReference: 'us' } as const
  const driver = createWithdrawalSteps({
    store,
    gateway,
    instance: 'one',
    askMerchant: null,
    uptimeMs: () => 0,
    onFault: () => undefined,
  })
  return {
    decide: createDecideWithdrawal(store, driver),
    resolveWithdrawal: createResolveWithdrawal({
      ...rules,
      clock,
      readList: () => Promise.resolve(listed),
      clockOffset: () => 0,
    }),
    setPayoutOwner: createSetPayoutOwner(store),
    resolveQuarantine: createResolveQuarantine({
      store,
      clock,
      applyAgain: (row, request) => reapply(rules, row, request),
    }),
  }
}
