/** What must be done after the database has lost commits, before anything else. */
import type { feedEpochOf } from './tables/feed-epoch.ts'
import type { reconciliationStateOf } from './tables/reconciliation-state.ts'
import type { unseenNumbersOf } from './tables/unseen-numbers.ts'
import type { withdrawalsOf } from './tables/withdrawals.ts'

interface Written {
  readonly feedEpoch: ReturnType<typeof feedEpochOf>
  readonly reconciliation: Pick<ReturnType<typeof reconciliationStateOf>, 'noteRestored'>
  readonly unseenNumbers: Pick<ReturnType<typeof unseenNumbersOf>, 'renumberStreams'>
  readonly withdrawals: Pick<ReturnType<typeof withdrawalsOf>, 'doubtCalls' | 'doubtUnsent'>
}

export interface Distrusted {
  /** The events of the merchant's feed that are left. */
  readonly head: number
  /** Withdrawals that waited for the merchant, and may have been sent since. */
  readonly doubted: number
}

/**
 * In one transaction: older cursors of the feed are refused, streams go on with numbers that nobody has seen, each
 * user's withdrawals wait until the gateway's list was compared with the books, and a withdrawal that waits for the
 * merchant counts as sent (docs/guides/back-up.md, "Restore a backup").
 */
export async function distrust(tx: Written): Promise<Distrusted> {
  const { epoch, head } = await tx.feedEpoch.position()
  await tx.feedEpoch.startEpoch(epoch)
  await tx.unseenNumbers.renumberStreams()
  await tx.reconciliation.noteRestored()
  await tx.withdrawals.doubtCalls()
  return { head, doubted: await tx.withdrawals.doubtUnsent() }
}
