import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

class Fault extends Error {
  readonly kind: string
  constructor(kind: string) {
    super(kind)
    this.kind = kind
  }
}

const faultOf = (error: unknown): string | null => (error instanceof Fault ? error.kind : null)
/** Items are like `ann:1`: the key is the part before the colon. */
const keyOf = (item: string): string => item.split(':')[0] ?? ''

function group(commit: (items: readonly string[]) => Promise<void>, limit = 200) {
  const commits: string[][] = []
  const record = createGroupCommit<string, string>({
    commit: async (items) => {
      commits.push([...items])
      await commit(items)
      return items.map((item) => `${item} is in`)
    },
    limit,
    keyOf,
    faultOf,
  })
  return { commits, record }
}

const outcomes = async (results: readonly Promise<string>[]): Promise<string[]> =>
  (await Promise.allSettled(results)).map((one) => (one.status === 'fulfilled' ? one.value : `${String(one.reason)}!`))

test('waiting items share one commit, in groups up to the limit', async () => {
  const { commits, record } = group(() => Promise.resolve(), 2)
  expect(await outcomes(['a:1', 'b:1', 'c:1'].map(record))).toEqual(['a:1 is in', 'b:1 is in', 'c:1 is in'])
  expect(commits).toEqual([['a:1', 'b:1'], ['c:1']])
})

test('a group waits while each turn of the event loop brings more items, up to the limit', async () => {
  const { commits, record } = group(() => Promise.resolve(), 4)
  const results: Promise<string>[] = []
  const arrive = async (): Promise<void> => {
    for (const item of ['a:1', 'b:1', 'c:1', 'd:1', 'e:1', 'f:1']) {
      const turn = nextTurn()
      results.push(record(item))
      await turn
    }
  }
  await arrive()
  await Promise.all(results)
  expect(commits).toEqual([
    ['a:1', 'b:1', 'c:1', 'd:1'],
    ['e:1', 'f:1'],
  ])
})

test('a bad item affects no other', async () => {
  const { record } = group((items) => (items.includes('b:1') ? Promise.reject(new Error('bad')) : Promise.resolve()))
  expect(await outcomes(['a:1', 'b:1', 'b:2'].map(record))).toEqual(['a:1 is in', 'Error: bad!', 'b:2 is in'])
})

test('with the store down one commit is tried for all waiting items, and the next item is tried again', async () => {
  let away = true
  const { commits, record } = group(() => (away ? Promise.reject(new Fault('away')) : Promise.resolve()), 50)
  const results = await outcomes(Array.from({ length: 200 }, (_item, at) => record(`u${at}:1`)))
  expect(new Set(results)).toEqual(new Set(['Error: away!']))
  expect(commits).toHaveLength(1)
  away = false
  expect(await record('a:1')).toBe('a:1 is in')
})

test('a store that fails while items are set aside rejects those at once, too', async () => {
  const { commits, record } = group((items) => Promise.reject(new Fault(items.length > 1 ? 'failed' : 'away')))
  const results = await outcomes(Array.from({ length: 100 }, (_item, at) => record(`u${at}:1`)))
  expect(new Set(results)).toEqual(new Set(['Error: away!']))
  // One commit of the group, and one of each key that is committed concurrently.
  expect(commits).toHaveLength(3)
})

test('items whose lock is held are tried again a few times, and delay no other item', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { commits, record } = group(async (items) => {
    if (!items.some((item) => item.startsWith('ann:'))) return
    // The commit of a single item lasts until the test releases it.
    if (items.length === 1) await held
    throw new Fault('locked')
  })
  const locked = ['ann:1', 'ann:2'].map(record)
  const others = ['ben:1', 'cid:1'].map(record)
  const outcome = outcomes(locked)
  expect(await outcomes(others)).toEqual(['ben:1 is in', 'cid:1 is in'])
  // A later item with the same key joins the waiting items; later items with other keys form their own group.
  const late = record('ann:3')
  late.catch(() => undefined)
  expect(await outcomes(['ben:2', 'cid:2'].map(record))).toEqual(['ben:2 is in', 'cid:2 is in'])
  expect(commits).toContainEqual(['ben:2', 'cid:2'])
  release()
  expect(await outcome).toEqual(['Error: locked!', 'Error: locked!'])
  await expect(late).rejects.toThrow('locked')
  const alone = commits.filter((items) => items.length === 1 && items[0]?.startsWith('ann:'))
  expect(alone).toEqual([['ann:1'], ['ann:1'], ['ann:1'], ['ann:1']])
})

test('no item is lost if the lock is released in time', async () => {
  let tries = 0
  const { record } = group((items) => {
    const waits = items.includes('ann:1') && (tries += 1) < 4
    return waits ? Promise.reject(new Fault('locked')) : Promise.resolve()
  })
  expect(await outcomes(['ann:1', 'ann:2', 'ben:1'].map(record))).toEqual(['ann:1 is in', 'ann:2 is in', 'ben:1 is in'])
})

test('each item gets one result, whatever commits fail', async () => {
  const kinds = ['away', 'locked', 'failed', 'bad', 'none', 'none', 'none']
  let state = 7
  const { record } = group(async () => {
    state = (state * 48_271) % 2_147_483_647
    await Promise.resolve()
    const kind = kinds[state % kinds.length] ?? 'none'
    if (kind !== 'none') throw new Fault(kind)
  }, 5)
  const settled = vi.fn<() => void>()
  const results = Array.from({ length: 500 }, async (_item, at) => {
    // Some items arrive together, some during another commit.
    for (let turn = 0; turn < at % 13; turn += 1) await Promise.resolve()
    await record(`u${at % 17}:${at}`).then(settled, settled)
  })
  await Promise.all(results)
  expect(settled).toHaveBeenCalledTimes(500)
})
