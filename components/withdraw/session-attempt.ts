import { createWithdrawalKeyStore } from '#lib/browser/withdrawal-key-store.ts'
import { createWithdrawalAttempt, type WithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'

let known: { readonly sessionId: string; readonly attempt: WithdrawalAttempt } | null = null

/**
 * The attempt of this session. There is one as long as the page lives, so that a screen that the user leaves and opens
 * again continues with it. The server renders for many sessions, so it makes a new attempt each time.
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
