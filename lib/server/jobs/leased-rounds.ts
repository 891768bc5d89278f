/** A job that one instance at a time runs, at regular times. */
import { createRounds, type Rounds, type RoundsOptions } from './rounds.ts'

/** How long an instance that has died without releasing its lease keeps the others from the job. */
const LEASE_MS = 60_000

export interface LeasedRoundsOptions extends Pick<
  RoundsOptions,
  'round' | 'onFault' | 'everyMs' | 'soonMs' | 'longestMs'
> {
  readonly leases: {
    take(name: string, holder: string, forMs: number): Promise<boolean>
    release(name: string, holder: string): Promise<void>
  }
  /** Names the job. */
  readonly lease: string
  /** Names this instance. */
  readonly holder: string
}

export interface LeasedRounds extends Rounds {
  /** Takes or renews the lease. True if this instance may do the work of a round. */
  takeLease(): Promise<boolean>
}

/** Rounds that changes do not wake. `stop` also releases the lease, so that another instance goes on at once. */
export function createLeasedRounds({ leases, lease, holder, ...options }: LeasedRoundsOptions): LeasedRounds {
  const rounds = createRounds({ ...options, onChange: null })
  return {
    ...rounds,
    takeLease: () => leases.take(lease, holder, LEASE_MS),
    async stop() {
      await rounds.stop()
      await leases.release(lease, holder).catch(() => undefined)
    },
  }
}
