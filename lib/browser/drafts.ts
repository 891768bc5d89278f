/** The values typed into the forms of this page. Kept only in memory. */

export interface Drafts {
  readonly subscribe: (listener: () => void) => () => void
  /** `blank` is the empty draft and its key. Returns the same object until the draft changes. */
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
