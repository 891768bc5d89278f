/** An item that waits for a shared commit, with the promise of its caller. */
interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommitOptions<Item, Result> {
  /** Commits all items at once, or none; results in the items' order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Most items in one commit. */
  readonly limit?: number
}

/**
 * Group commit: items that wait together share one commit (and so one fsync); while it runs, the next group gathers. If
 * a group cannot be committed, its items are committed one by one, so that a bad one affects no other.
 */
export function createGroupCommit<Item, Result>({ commit, limit = 200 }: GroupCommitOptions<Item, Result>) {
  let waiting: Waiting<Item, Result>[] = []
  let running = false

  const settle = (group: readonly Waiting<Item, Result>[], results: readonly Result[]): void => {
    for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result)
  }

  const oneByOne = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    for (const one of group) {
      try {
        settle([one], await commit([one.item]))
      } catch (error) {
        one.reject(error)
      }
    }
  }

  const run = async (): Promise<void> => {
    running = true
    // Requests of the same turn of the event loop join the first group.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting.slice(0, limit)
      waiting = waiting.slice(limit)
      try {
        settle(group, await commit(group.map(({ item }) => item)))
      } catch (error) {
        if (group.length === 1) group[0]?.reject(error)
        else await oneByOne(group)
      }
    }
    running = false
  }

  /** Resolves after the item's commit; rejects if it could not be committed. */
  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!running) void run()
    })
}
