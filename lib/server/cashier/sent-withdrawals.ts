/**
 * Withdrawals that this process has lately sent, or asked the merchant about. A server that takes over from a lost one
 * may not have them: they are recorded again. What was sent is an interrupted call, and becomes `unknown` until the
 * gateway's list shows its payout. Of the others the merchant may have reserved the money: they fail as not sent, and
 * their event gives it back.
 */
import { post } from '../ledger/post-entries.ts'
import { reconcileAtOnce } from '../ledger/schedule-reconciliation.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { AuthorizingWithdrawal, CallingWithdrawal, Store } from '../store/types.ts'

/** Before the newest: longer than a server is ahead of an asynchronous standby that anyone would promote. */
const FOR_MS = 900_000
const MOST = 20_000

type Kept = AuthorizingWithdrawal | CallingWithdrawal

export interface SentWithdrawals {
  /** Called before the call of the gateway, or of the merchant. */
  add(row: Kept): void
  /** The merchant postponed the decision, or another instance has got it: whoever carries on knows more. */
  handOver(id: string): void
  /**
   * Records again what the store has lost. Returns how many; stops at the first fault of the store, and calls `onFault`
   * for any other.
   */
  recordLost(store: Store, onFault: (error: unknown, withdrawalId: string) => void): Promise<number>
}

export function createSentWithdrawals(nowMs: () => number): SentWithdrawals {
  /** Oldest first. */
  const sent = new Map<string, { readonly row: Kept; readonly atMs: number }>()

  const forget = (): void => {
    const sinceMs = nowMs() - FOR_MS
    for (const [id, { atMs }] of sent) {
      if (atMs > sinceMs && sent.size <= MOST) return
      sent.delete(id)
    }
  }

  const record = (store: Store, row: Kept): Promise<boolean> =>
    store.transaction(async (tx) => {
      // Of any user: after an erasure it has another one.
      if ((await tx.withdrawals.find(row.id)) !== null) return false
      const user = row.user_reference_id
      await tx.users.insertIfMissing(user, tx.now)
      const unit = await tx.load({
        users: [user],
        withdrawals: [row.id],
        attemptsOf: [user],
        balances: [[user, row.currency_id]],
      })
      // Another loss may have brought it back meanwhile.
      if (unit.withdrawal(row.id) !== null) return false
      const { id, idempotency_key: key, currency_id, amount, funds } = row
      // The user has used the key again meanwhile. No request has one with a line break.
      const isKeyTaken = (await tx.withdrawals.byKey(user, key)) !== null
      const hold = { booking: 'hold', posting_key: `hold:${id}`, user_reference_id: user, currency_id, amount } as const
      // The credit that it used may be lost too: the money has perhaps left, so the balance may go below zero.
      if (funds === 'held') post(unit, hold, 'late_payout')
      // Nobody drives it: whoever looks for interrupted withdrawals resumes it.
      const lost: Kept = { ...row, driver: null, idempotency_key: isKeyTaken ? `${key}\n${id}` : key }
      unit.insertWithdrawal(lost)
      if (lost.step === 'authorizing')
        settleWithdrawal(unit, lost, {
          evidence: { kind: 'not_sent' },
          source: 'cashier',
          also: { step: 'ended', early_decision: null },
        })
      reconcileAtOnce(unit, user)
      await tx.save(unit)
      return true
    })

  return {
    add(row) {
      // Of two calls about one withdrawal the later counts, and it is the newest.
      sent.delete(row.id)
      sent.set(row.id, { row, atMs: nowMs() })
      forget()
    },
    handOver(id) {
      if (sent.get(id)?.row.step === 'authorizing') sent.delete(id)
    },
    async recordLost(store, onFault) {
      // However long the outage was: what was sent before it is what may be lost.
      let count = 0
      // What a server has lost is the end of its log: the newest first, before their users are let in again.
      for (const { row } of [...sent.values()].reverse())
        try {
          if (await record(store, row)) count += 1
        } catch (error) {
          if (store.faultOf(error) !== null) throw error
          onFault(error, row.id)
        }
      return count
    },
  }
}
