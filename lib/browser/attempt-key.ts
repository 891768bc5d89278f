/**
 * The Idempotency-Key of one attempt to withdraw. The same request keeps its key however often it is sent, so that a
 * lost answer is asked for again and never paid again; a changed request is another attempt.
 */
export interface AttemptKeys {
  readonly keyFor: (request: Readonly<Record<string, string>>) => string
  /** The attempt came to a recorded result, so the same words typed once more mean another withdrawal. */
  readonly finish: () => void
}

export function createAttemptKeys(newKey: () => string): AttemptKeys {
  let current: { readonly content: string; readonly key: string } | null = null
  return {
    keyFor: (request) => {
      const content = JSON.stringify(Object.entries(request).sort())
      if (current?.content !== content) current = { content, key: newKey() }
      return current.key
    },
    finish: () => {
      current = null
    },
  }
}
