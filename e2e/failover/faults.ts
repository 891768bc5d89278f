import type { Cluster } from './cluster.ts'
import type { FaultName } from './plan.ts'
import type { Machine } from './machines.ts'

interface Fault {
  readonly text: string
  /** Every instance answers again within this time. */
  readonly answersWithinMs: number
  strike(primary: Machine, cluster: Cluster): Promise<void> | void
  /** Ends what lasts. */
  end(primary: Machine, cluster: Cluster): void
}

/** Twice `ttl`: etcd grants every lease anew when its own leader was on the lost machine. Then a standby must follow. */
const SILENT_MS = 40_000

const nothing = (): void => undefined
const others = (machine: Machine, cluster: Cluster): readonly string[] =>
  cluster.machines.filter((one) => one !== machine).map(({ address }) => address)

export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  kill: {
    text: 'kill -9 of the primary’s postmaster',
    answersWithinMs: 15_000,
    strike(primary) {
      process.kill(primary.postmaster(), 'SIGKILL')
    },
    end: nothing,
  },
  frozen: {
    text: 'every process of the primary’s machine is frozen',
    answersWithinMs: SILENT_MS,
    strike(primary) {
      primary.signal('SIGSTOP')
    },
    end(primary) {
      primary.signal('SIGCONT')
    },
  },
  cut: {
    text: 'the primary’s machine has no network',
    answersWithinMs: SILENT_MS,
    strike(primary) {
      primary.connect(false)
    },
    end(primary) {
      primary.connect(true)
    },
  },
  apart: {
    text: 'the primary reaches the cashiers, but no other machine',
    answersWithinMs: SILENT_MS,
    strike(primary, cluster) {
      primary.reach(others(primary, cluster), false)
    },
    end(primary, cluster) {
      primary.reach(others(primary, cluster), true)
    },
  },
  switchover: {
    text: 'patronictl switchover',
    answersWithinMs: 15_000,
    strike: (_primary, cluster) => cluster.switchover(),
    end: nothing,
  },
}
