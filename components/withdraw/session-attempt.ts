import { createWithdrawalKeyStore } from '#lib/browser/withdrawal-key-store.ts'
import { createWithdrawalAttempt, type WithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'

let known: { readonly sessionId: string; readonly attempt: WithdrawalAttempt } | null = null

/**
 * The attempt of this session, one as long as the page lives: a screen that is left and entered again goes on with it. On
 * the server, which renders for many sessions, a new one each time.
 */
export function sessionAttempt(sessionId: string): WithdrawalAttempt {
  if (known?.sessionId === sessionId) return known.attempt
  const attempt = createWithdrawalAttempt({
    newKey: () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-'),
    store: createWithdrawalKeyStore(() => indexedDB),
    sessionId,
    clock: Date.now,
  })
  if (typeof window !== 'undefined') known = { sessionId, attempt }
  return attempt
}
