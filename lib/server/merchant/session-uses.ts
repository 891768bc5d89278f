import type { Store } from '../store/types.ts'
import type { SessionLimits } from './session-life.ts'

export interface SessionUsesDeps {
  readonly sessions: Pick<Store['sessions'], 'touchSessions'>
  readonly limits: Pick<SessionLimits, 'idleMs'>
  readonly clock: () => number
  readonly onFault: (error: unknown) => void
}

/** After a burst of connections, not during it. A crash loses the uses of so long. */
const COLLECT_MS = 5000
/** Sessions in one transaction. */
const AT_ONCE = 1000

/** Stores uses of sessions together: thousands of pages that connect at once cost a few transactions. */
export function createSessionUses({ sessions, limits, clock, onFault }: SessionUsesDeps) {
  const collectMs = Math.min(COLLECT_MS, limits.idleMs / 4)
  let used = new Set<string>()
  let collecting: NodeJS.Timeout | null = null

  /** After a failure the next use is stored. */
  const flush = async (): Promise<void> => {
    if (collecting !== null) clearTimeout(collecting)
    collecting = null
    const ids = [...used]
    used = new Set()
    const now = clock()
    try {
      for (let at = 0; at < ids.length; at += AT_ONCE) await sessions.touchSessions(ids.slice(at, at + AT_ONCE), now)
    } catch (error) {
      onFault(error)
    }
  }

  return {
    note: (id: string): void => {
      used.add(id)
      collecting ??= setTimeout(() => void flush(), collectMs).unref()
    },
    flush,
  }
}
