/** Who waits for this process to change the database. */
export interface ChangeListeners {
  /** A change is committed. */
  readonly notify: () => void
  /** Calls back after each; returns what stops that. Changes of other processes are not seen. */
  readonly on: (listener: () => void) => () => void
}

export function createChangeListeners(): ChangeListeners {
  const listeners = new Set<() => void>()
  return {
    notify() {
      for (const listener of listeners) listener()
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
