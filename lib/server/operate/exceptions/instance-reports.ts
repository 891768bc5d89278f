import { createRounds } from '../../jobs/rounds.ts'
import type { CallReport } from '../../gateway/client.ts'
import type { InstanceReport, Store } from '../../store/types.ts'

const EVERY_MS = 5000
/** Failed calls in a row before the gateway counts as down. */
const FAILURES_TO_REPORT = 3

const NO_ANSWER: ReadonlySet<CallReport['outcome']> = new Set(['unreachable', 'outcome_unknown'])

interface Noted {
  readonly sinceMs: number
  readonly lastMs: number
  readonly count: number
  readonly detail: string | null
}

export interface InstanceReportsOptions {
  readonly store: Pick<Store, 'instanceReports'>
  /** Names this instance. */
  readonly instance: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onFault: (error: unknown) => void
}

/**
 * Keeps what this instance notices of the gateway and its webhooks, and stores what has changed every few seconds, for
 * the console and the doctor: however often somebody sends refused webhooks, the store is written as often.
 */
export function createInstanceReports({ store, instance, clock, onFault }: InstanceReportsOptions) {
  const known = new Map<InstanceReport, Noted>()
  const changed = new Set<InstanceReport>()
  let failures = 0
  let firstFailureMs = 0

  const note = (what: InstanceReport, detail: string | null, count = 1, sinceMs = clock()): void => {
    const before = known.get(what)
    known.set(what, {
      sinceMs: before?.sinceMs ?? sinceMs,
      lastMs: clock(),
      count: (before?.count ?? 0) + count,
      detail,
    })
    changed.add(what)
  }
  const end = (what: InstanceReport): void => {
    if (known.delete(what)) changed.add(what)
  }

  const storeOne = async (what: InstanceReport): Promise<void> => {
    const now = clock()
    const noted = known.get(what)
    if (noted === undefined) return store.instanceReports.remove(instance, what)
    const { sinceMs, lastMs, count, detail } = noted
    return store.instanceReports.put(instance, {
      what,
      count,
      detail,
      sinceAgoMs: now - sinceMs,
      lastAgoMs: now - lastMs,
    })
  }

  const flush = async (): Promise<void> => {
    for (const what of [...changed]) {
      changed.delete(what)
      await storeOne(what).catch((error: unknown) => {
        changed.add(what)
        throw error
      })
    }
  }

  const rounds = createRounds({
    round: async () => {
      await flush()
      return null
    },
    onFault,
    everyMs: EVERY_MS,
    longestMs: EVERY_MS,
    onChange: null,
  })

  return {
    gatewayCalled({ outcome, operation }: Pick<CallReport, 'outcome' | 'operation'>): void {
      if (NO_ANSWER.has(outcome)) {
        if (failures === 0) firstFailureMs = clock()
        failures += 1
        if (failures >= FAILURES_TO_REPORT)
          note(
            'gateway_down',
            `${operation}: ${outcome}`,
            failures === FAILURES_TO_REPORT ? failures : 1,
            firstFailureMs,
          )
        return
      }
      failures = 0
      end('gateway_down')
      if (outcome === 'authentication') note('gateway_refuses', operation)
      else end('gateway_refuses')
    },
    /** @param code of the problem that the gateway was answered */
    webhookRefused: (code: string): void => note('webhook_refused', code),
    webhookAccepted(): void {
      end('webhook_refused')
      end('list_news')
    },
    /** The list told this many states that no webhook had told. */
    listTold(count: number): void {
      if (count > 0) note('list_news', null, count)
    },
    flush,
    start: () => rounds.start(),
    stop: () => rounds.stop(),
  }
}

export type InstanceReports = ReturnType<typeof createInstanceReports>
