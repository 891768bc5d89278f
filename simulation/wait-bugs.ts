/** Wrong cashiers that send what should wait, or what the user has cancelled. */
import type { Bug, BugEntry } from './bug.ts'

/** Says that a withdrawal is cancelled, and lets it go on. */
const forgettingCancellations = (): Bug => ({
  useCases: (useCases) => ({
    ...useCases,
    cancelWithdrawal: async (session, id) => {
      const withdrawal = await useCases.getWithdrawal(session, id)
      return { ...withdrawal, status: 'failed', failure_reason: 'cancelled' }
    },
  }),
})

/** Changes what a withdrawal waits for once it is recorded. */
const changingWaits = (change: string): Bug => ({
  useCases: (useCases, place) => ({
    ...useCases,
    requestWithdrawal: async (...asked) => {
      const answer = await useCases.requestWithdrawal(...asked)
      await place.database.rows(`update withdrawals set ${change} where step = 'pending'`)
      return answer
    },
  }),
})

/** Gives the hold back in the cancellation, and again in a second posting. */
const releasingTwice = (): Bug => ({
  useCases: (useCases) => ({
    ...useCases,
    cancelWithdrawal: async (session, id) => {
      const cancelled = await useCases.cancelWithdrawal(session, id)
      const { user_reference_id } = session
      const balances = await useCases.listBalances(user_reference_id)
      const currency_id = balances.find((one) => one.currency_code === cancelled.currency)?.currency_id ?? ''
      await useCases.adjustBalance(user_reference_id, {
        ...{ currency_id, amount: cancelled.amount, reference: `again-${id}` },
      } as never)
      return cancelled
    },
  }),
})

const settings = { ledgerMode: 'embedded', faultScale: 1 } as const

export const WAIT_BUGS: Readonly<Record<string, BugEntry>> = {
  'a cancellation is answered and forgotten': {
    clause: 'cancel',
    seed: 1,
    settings: { ...settings, rules: 'both' },
    make: forgettingCancellations,
  },
  'a wait ends too early': {
    clause: 'wait',
    seed: 1,
    settings: { ...settings, rules: 'wait' },
    make: () => changingWaits('wait_until_ms = 0'),
  },
  'a review is skipped': {
    clause: 'review',
    seed: 2,
    settings: { ...settings, rules: 'review' },
    make: () => changingWaits("early_decision = 'approve', wait_until_ms = 0"),
  },
  'a cancelled hold is released twice': {
    clause: 'nothing else',
    seed: 1,
    settings: { ...settings, rules: 'both' },
    make: releasingTwice,
  },
}
