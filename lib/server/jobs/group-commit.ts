import { setImmediate as nextTurn } from 'node:timers/promises'

/** An item that waits for a commit, with the promise of its caller. */
interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Items of one key that are committed one by one, because a group with one of them failed. */
interface SetAside<Item, Result> {
  readonly items: Waiting<Item, Result>[]
  /** The tries so far that failed for a held lock. */
  tries: number
}

export interface GroupCommitOptions<Item, Result> {
  /** Commits all items at once, or none. The results are in the items' order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>
  /** The most items in one commit. */
  readonly limit?: number
  /** Items with the same key wait for the same lock. */
  readonly keyOf: (item: Item) => string
  /**
   * `away`: the store cannot commit anything now. `locked`: another transaction holds a lock. Else the items are at
   * fault.
   */
  readonly faultOf: (error: unknown) => string | null
}

/** The most tries of an item whose lock is held; other keys have their turns in between. */
const LOCK_TRIES = 4

/** The most keys set aside that are committed concurrently, in parallel with the groups. Each takes a connection. */
const SET_ASIDE_AT_ONCE = 2

/**
 * Group commit: waiting items share one commit (and so one fsync); during the commit the next group gathers.
 *
 * If a group cannot be committed, its items are set aside and committed one by one, in parallel with the next groups: a
 * bad item, or an item whose lock is held, delays no other. If the store is down, all waiting items are rejected at
 * once.
 */
export function createGroupCommit<Item, Result>(options: GroupCommitOptions<Item, Result>) {
  const { commit, limit = 200, keyOf, faultOf } = options
  let waiting: Waiting<Item, Result>[] = []
  let running = false
  /** The sets by key. `turns` has the keys in the order of their turns. */
  const aside = new Map<string, SetAside<Item, Result>>()
  const turns: string[] = []
  let asideRunning = 0

  const settle = (group: readonly Waiting<Item, Result>[], results: readonly Result[]): void => {
    for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result)
  }

  const rejectAll = (group: readonly Waiting<Item, Result>[], error: unknown): void => {
    for (const { reject } of group) reject(error)
  }

  const giveUp = (error: unknown): void => {
    rejectAll(waiting.splice(0), error)
    for (const { items } of aside.values()) rejectAll(items.splice(0), error)
  }

  const setAside = (one: Waiting<Item, Result>): void => {
    const key = keyOf(one.item)
    const known = aside.get(key)
    if (known) known.items.push(one)
    else {
      aside.set(key, { items: [one], tries: 0 })
      turns.push(key)
    }
  }

  /** Commits the items of a key until there are none, or its lock is held. False if it needs another turn. */
  const takeTurn = async (key: string, set: SetAside<Item, Result>): Promise<boolean> => {
    for (let one = set.items.shift(); one !== undefined; one = set.items.shift()) {
      try {
        settle([one], await commit([one.item]))
      } catch (error) {
        const fault = faultOf(error)
        if (fault === 'locked' && (set.tries += 1) < LOCK_TRIES) {
          set.items.unshift(one)
          return false
        }
        one.reject(error)
        // The held lock blocks all items of the key.
        if (fault === 'locked') rejectAll(set.items.splice(0), error)
        if (fault === 'away') giveUp(error)
      }
    }
    aside.delete(key)
    return true
  }

  const runAside = async (): Promise<void> => {
    asideRunning += 1
    for (let key = turns.shift(); key !== undefined; key = turns.shift()) {
      const set = aside.get(key)
      if (set && !(await takeTurn(key, set))) turns.push(key)
    }
    asideRunning -= 1
  }

  /**
   * Waits for the requests that have already arrived: the group grows while each turn of the event loop brings more. A
   * single item waits for one turn.
   */
  const gathered = async (): Promise<void> => {
    for (let before = 0; before < waiting.length && waiting.length < limit;) {
      before = waiting.length
      await nextTurn()
    }
  }

  const run = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      await gathered()
      const group = waiting.slice(0, limit)
      waiting = waiting.slice(limit)
      try {
        settle(group, await commit(group.map(({ item }) => item)))
      } catch (error) {
        const fault = faultOf(error)
        if (fault === 'away') {
          rejectAll(group, error)
          giveUp(error)
        } else if (group.length === 1 && fault !== 'locked') group[0]?.reject(error)
        else {
          for (const one of group) setAside(one)
          while (asideRunning < SET_ASIDE_AT_ONCE && turns.length > 0) void runAside()
        }
      }
    }
    running = false
  }

  /** Resolves after the item's commit; rejects if it could not be committed. */
  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const one = { item, resolve, reject }
      if (aside.has(keyOf(item))) setAside(one)
      else waiting.push(one)
      if (!running) void run()
    })
}
