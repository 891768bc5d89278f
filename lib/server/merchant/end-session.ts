import { Problem } from '#lib/contract/problems.ts'
import type { Store } from '../store/types.ts'

export interface EndSessionDeps {
  readonly sessions: Pick<Store['sessions'], 'endSession'>
  readonly clock: () => number
  /** Called for each session that ends, so that its streams end too. */
  readonly onSessionEnded: (sessionId: string) => void
}

/** Ends a session and its streams at once. A second call changes nothing. @throws Problem `not_found` */
export async function endSession(deps: EndSessionDeps, sessionId: string): Promise<void> {
  const known = await deps.sessions.endSession(sessionId, deps.clock())
  if (!known) throw new Problem('not_found', 'There is no such session.')
  deps.onSessionEnded(sessionId)
}
