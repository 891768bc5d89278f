import type { Reader } from '../types.ts'

export interface AfterRestore {
  /** The number of events in the feed. */
  readonly head: number
  /** How many withdrawals may have been sent since. */
  readonly doubted: number
}

/**
 * Inside a transaction, for a database that lacks what was done since: the merchant's feed gets a new epoch, every user
 * must be compared with the gateway, and what was unsent may have been sent.
 */
export async function startAfterRestore({
  feedEpoch,
  reconciliation,
  withdrawals,
}: Pick<Reader, 'feedEpoch' | 'reconciliation' | 'withdrawals'>): Promise<AfterRestore> {
  const { epoch, head } = await feedEpoch.position()
  await feedEpoch.startEpoch(epoch)
  await reconciliation.noteRestored()
  return { head, doubted: await withdrawals.doubtUnsent() }
}
