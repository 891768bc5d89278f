import { setTimeout as sleep } from 'node:timers/promises'
import { decimal } from '#lib/contract/money.ts'
import type { Gateway } from '../gateway/port.ts'
import { settleWithdrawal, type Settlement } from '../ledger/settle-withdrawal.ts'
import type { Evidence } from '../ledger/withdrawal-states.ts'
import type { Store, Tx, WithdrawalRow } from '../store/port.ts'
import { evidenceOf } from './gateway-evidence.ts'

/** The merchant's word on a withdrawal (contract section 8); anything unclear is a decline. */
export interface MerchantWord {
  readonly decision: 'approve' | 'decline' | 'postpone'
  readonly user_message: string | null
}

export interface DriveOptions {
  readonly store: Store
  readonly gateway: Gateway
  /** Names this process among the instances. */
  readonly instance: string
  /** Asks the merchant, with the withdrawal's id as `webhook-id`; null where the embedded ledger decides. */
  readonly askMerchant: ((withdrawal: WithdrawalRow) => Promise<MerchantWord>) | null
  readonly onFault: (error: unknown, withdrawalId: string) => void
}

/** A store that is away for a moment must not turn a known reply into an uncertain one. */
const SETTLE_PAUSES_MS = [50, 200, 500, 1000, 2000]

async function locked(tx: Tx, id: string, user: string): Promise<WithdrawalRow> {
  await tx.users.lock([user])
  const row = await tx.withdrawals.find(id)
  if (row === null) throw new Error(`withdrawal ${id} is gone`)
  return row
}

/** Steps 2 to 4 of a withdrawal (contract section 7), each from a state on disk to the next. */
export function createDriver(options: DriveOptions) {
  const { store, gateway, instance, askMerchant } = options

  /** Settles a withdrawal that still stands at the row's step; null where somebody else has led it on. */
  const settleInStore = (row: WithdrawalRow, settlement: Settlement): Promise<WithdrawalRow | null> =>
    store.transaction(async (tx) => {
      const current = await locked(tx, row.id, row.user_reference_id)
      return current.step === row.step ? settleWithdrawal(tx, current, settlement) : null
    })

  const settleStubbornly = async (row: WithdrawalRow, evidence: Evidence): Promise<WithdrawalRow> => {
    for (const pause of [...SETTLE_PAUSES_MS, null]) {
      try {
        return await store.transaction(async (tx) =>
          settleWithdrawal(tx, await locked(tx, row.id, row.user_reference_id), {
            evidence,
            source: 'cashier',
            also: { step: 'ended', driver: null, call_ended_ms: tx.now },
          }),
        )
      } catch (error) {
        options.onFault(error, row.id)
        if (pause === null) throw error
        await sleep(pause)
      }
    }
    throw new Error('not reached')
  }

  /** Step 3 and 4: the one call, then what is known of it. The row is at `calling`, which only one process has led it to. */
  const call = async (row: WithdrawalRow): Promise<WithdrawalRow> => {
    let evidence: Evidence
    try {
      const reply = await gateway.withdraw({
        currency_id: row.currency_id,
        amount: decimal(row.amount),
        wallet_address: row.wallet_address,
        user_reference_id: row.user_reference_id,
      })
      evidence = { kind: 'accepted', requires_approval: reply.requires_approval, status: reply.status }
    } catch (error) {
      options.onFault(error, row.id)
      evidence = evidenceOf(error)
    }
    return settleStubbornly(row, evidence)
  }

  /** Leads an approved withdrawal to its call; null where another process has. */
  const approve = async (row: WithdrawalRow, from: 'authorizing' | 'pending'): Promise<WithdrawalRow | null> => {
    const calling = await store.transaction(async (tx) => {
      await tx.users.lock([row.user_reference_id])
      const change = { step: 'calling', driver: instance, status: 'processing', called_ms: tx.now, updated_ms: tx.now }
      return (await tx.withdrawals.advance(row.id, from, change)) ? { ...row, ...change } : null
    })
    return calling === null ? null : call(calling)
  }

  const decline = (
    row: WithdrawalRow,
    user_message: string | null,
    during_request: boolean,
  ): Promise<WithdrawalRow | null> =>
    settleInStore(row, {
      evidence: { kind: 'declined', user_message, during_request },
      source: 'cashier',
      also: { step: 'ended', driver: null, user_message, declined_at_request: during_request ? 1 : 0 },
    })

  const postpone = (row: WithdrawalRow, user_message: string | null): Promise<WithdrawalRow | null> =>
    settleInStore(row, {
      evidence: { kind: 'postponed' },
      source: 'cashier',
      also: { step: 'pending', driver: null, user_message },
    })

  /** Step 2 with a merchant that decides, then on. Asked again after a crash under the same id. */
  const authorize = async (row: WithdrawalRow, during_request: boolean): Promise<WithdrawalRow> => {
    const word: MerchantWord =
      askMerchant === null
        ? { decision: 'decline', user_message: null }
        : await askMerchant(row).catch((error: unknown) => {
            options.onFault(error, row.id)
            return { decision: 'decline' as const, user_message: null }
          })
    const steps = {
      approve: () => approve(row, 'authorizing'),
      decline: () => decline(row, word.user_message, during_request),
      postpone: () => postpone(row, word.user_message),
    }
    return (await steps[word.decision]()) ?? reread(row)
  }

  const reread = async (row: WithdrawalRow): Promise<WithdrawalRow> => (await store.withdrawals.find(row.id)) ?? row

  /** What a process left behind that died between two steps: asks again, or takes its call for uncertain. */
  const resume = async (row: WithdrawalRow): Promise<void> => {
    if (row.step === 'authorizing') await authorize(row, true)
    else
      await store.transaction(async (tx) => {
        const current = await locked(tx, row.id, row.user_reference_id)
        if (current.step !== 'calling') return
        await settleWithdrawal(tx, current, {
          evidence: { kind: 'uncertain' },
          source: 'cashier',
          also: { step: 'ended', driver: null, call_ended_ms: tx.now },
        })
      })
  }

  return { authorize, approve, decline, call, resume }
}

export type Driver = ReturnType<typeof createDriver>
