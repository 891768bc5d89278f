/** What was typed into the forms of this page. Kept in memory, and nowhere else. */

export interface Drafts {
  readonly subscribe: (listener: () => void) => () => void
  /** `blank` is the draft before anything was typed, and its key. The same object until it changes. */
  readonly get: <Draft extends object>(blank: Draft) => Draft
  readonly change: <Draft extends object>(blank: Draft, changes: Partial<Draft>) => void
}

export function createDrafts(): Drafts {
  const kept = new Map<object, object>()
  const listeners = new Set<() => void>()
  // A key is stored only with a draft of its own type.
  const get = <Draft extends object>(blank: Draft): Draft => (kept.get(blank) as Draft | undefined) ?? blank
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get,
    change: (blank, changes) => {
      kept.set(blank, { ...get(blank), ...changes })
      for (const listener of listeners) listener()
    },
  }
}
