import { RequestFailure } from '../request-failure.ts'
import type { AccessGate, Asked } from './access-gate.ts'
import type { ConsoleClient } from './console-client.ts'

/** It says whether somebody is signed in, so it is not held up until somebody is. */
const ME = 'me'

function askedBy(error: unknown): Asked | null {
  if (!(error instanceof RequestFailure)) return null
  if (error.code === 'unauthenticated') return 'sign-in'
  return error.code === 'fresh_passkey_required' ? 'touch' : null
}

/**
 * A call that is refused because the session has ended, or because it needs a passkey touch, waits until the operator
 * has used the passkey, and is then repeated: nothing was done by the refused one. If the operator declines, it fails.
 */
export function guardedClient(client: ConsoleClient, gate: Pick<AccessGate, 'ask'>): ConsoleClient {
  async function guarded<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call()
      } catch (error) {
        const asked = askedBy(error)
        if (asked === null || !(await gate.ask(asked))) throw error
      }
    }
  }
  return {
    get: (path, schema, signal) =>
      path === ME ? client.get(path, schema, signal) : guarded(() => client.get(path, schema, signal)),
    send: (...call) => guarded(() => client.send(...call)),
  }
}
