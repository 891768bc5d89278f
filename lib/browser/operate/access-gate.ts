/** What the console asks of its operator before a call can be made: a sign-in, or a further touch of the passkey. */
export type Asked = 'sign-in' | 'touch'

export interface AccessGate {
  /** Resolves when the person has answered: true if they did it. */
  ask(what: Asked): Promise<boolean>
  /** What the page shall ask for now. */
  readonly asked: Asked | null
  answer(done: boolean): void
  readonly subscribe: (listener: () => void) => () => void
}

export function createAccessGate(): AccessGate {
  let asked: Asked | null = null
  const waiting: ((done: boolean) => void)[] = []
  const listeners = new Set<() => void>()
  const show = (what: Asked | null): void => {
    asked = what
    for (const listener of listeners) listener()
  }
  return {
    ask(what) {
      // A sign-in is a touch, too.
      if (asked !== 'sign-in') show(what)
      return new Promise((resolve) => waiting.push(resolve))
    },
    get asked() {
      return asked
    },
    answer(done) {
      show(null)
      for (const resolve of waiting.splice(0)) resolve(done)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
