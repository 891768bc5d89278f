/** Notifies listeners when this process has changed the database. */
export interface ChangeListeners {
  /** Reports a committed change. */
  readonly notify: () => void
  /** Calls back after each change; returns a function that stops it. Changes of other processes are not reported. */
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
