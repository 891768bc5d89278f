/** A scan of a list that is longer than a round, on both databases. */
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { listedRecords } from '../gateway/listed-records.ts'
import { OutcomeUnknownError, RejectedError, UnreadableReplyError } from '../gateway/errors.ts'
import type { TransactionsList, TransactionsListRequest } from '../gateway/types.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import type { Store } from '../store/types.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { scanRound, type ScanRound, type WantedScan } from './scan-round.ts'
import type { Edge, ReadLists } from './scan-user-list.ts'
import { depositEdge, pagedGateway } from './testing/user-list.ts'

const START = Date.UTC(2026, 10, 20, 12)
const MINUTE = 60_000
const DAY = 1440 * MINUTE
const USER = 'user_1'
const NAMES = Array.from({ length: 95 }, (_item, index) => `u${String(index)}`)
/** 95 records, newest first: ten pages of 10, which are four rounds of 3 pages. */
const ALL = NAMES.map((name, index) => depositEdge(name, START - (index + 60) * MINUTE))
const ROUNDS = 4

const namesOf = (edges: readonly Edge[]): readonly string[] => edges.map(({ node }) => node.transaction_uuid)

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = START
  const stores = useStores(flavour, { clock: () => now })
  beforeEach(async () => {
    now = START
    await stores.one.users.ensure(USER, now)
  })

  const round = async (
    list: readonly Edge[] | ReadLists,
    wanted: Partial<WantedScan> = {},
    { store = stores.one, mostPages = 3 }: { readonly store?: Store; readonly mostPages?: number } = {},
  ): Promise<ScanRound> => {
    now += MINUTE
    return scanRound(
      {
        store,
        read: 'listUserTransactions' in list ? list : pagedGateway(list, { most: 10 }),
        clock: () => now,
        clockOffsetMs: () => 5,
        apply: (edges) =>
          store.applyRecords(USER, listedRecords(edges, STATUSES), { ledgerMode: 'embedded', ledgerStartMs: 0 }),
        mostPages,
      },
      USER,
      { purpose: 'absence', sinceMs: null, ...wanted },
    )
  }

  /** Rounds until the scan ends; at most 20. */
  async function rounds(
    lists: (number: number) => readonly Edge[] | ReadLists,
    wanted: Partial<WantedScan> = {},
    mostPages = 3,
  ): Promise<readonly ScanRound[]> {
    const done: ScanRound[] = []
    do done.push(await round(lists(done.length), wanted, { mostPages }))
    while (done.at(-1)?.verdict === 'more' && done.length < 20)
    return done
  }
  const verdicts = (done: readonly ScanRound[]) => done.map(({ verdict }) => verdict)
  const more = (count: number) => Array.from({ length: count }, () => 'more')
  const storedNames = async () =>
    (await stores.one.records.list(USER, {})).map(({ transaction_uuid }) => transaction_uuid)

  test('is continued by any instance, is complete, and began with its first page', async () => {
    const other = await stores.another()
    const done: ScanRound[] = []
    for (let number = 0; number < ROUNDS; number += 1)
      done.push(await round(ALL, {}, number % 2 === 0 ? {} : { store: other }))
    expect(verdicts(done)).toEqual([...more(ROUNDS - 1), 'complete'])
    expect(done.flatMap(({ edges }) => namesOf(edges))).toEqual(NAMES)
    expect(done.at(-1)).toMatchObject({ began_ms: START + MINUTE, clock_offset_ms: 5, wholeMs: START + MINUTE })
    expect(done[0]).toMatchObject({ wholeMs: null })
    expect(await storedNames()).toEqual(NAMES)
    expect(await stores.one.listScans.find(USER)).toBeNull()
  })

  test('a round during which the database lost commits is not continued', async () => {
    const { listUserTransactions } = pagedGateway(ALL, { most: 10 })
    const losing: ReadLists = {
      async listUserTransactions(user, query) {
        await stores.one.transaction((tx) => tx.reconciliation.noteRestored())
        return listUserTransactions(user, query)
      },
    }
    expect(await round(losing)).toMatchObject({ verdict: 'broken', wholeMs: START + MINUTE, isComplete: false })
    expect(await stores.one.listScans.find(USER)).toBeNull()
  })

  test('a list that fits into a round is never stored', async () => {
    const short = ALL.slice(0, 15)
    expect(await round(short)).toMatchObject({ verdict: 'complete', wholeMs: START + MINUTE })
    expect(await stores.one.listScans.find(USER)).toBeNull()
    expect(await stores.one.listScans.addRecords(USER, [])).toBe(0)
  })

  const fresh = (count: number) =>
    Array.from({ length: count }, (_item, index) => depositEdge(`new${String(index)}`, START + (9 - index) * MINUTE))

  test('new records on top are read before it is complete', async () => {
    const done = await rounds((number) => (number < 2 ? ALL : [...fresh(12), ...ALL]))
    expect(verdicts(done).at(-1)).toBe('complete')
    expect(await storedNames()).toEqual([...namesOf(fresh(12)), ...NAMES])
  })

  test.each<[string, string, (number: number) => readonly Edge[] | ReadLists]>([
    [
      'a record that appears above the place reached',
      'changed',
      (number) => (number < 2 ? ALL : [...ALL.slice(0, 25), ...fresh(1), ...ALL.slice(25)]),
    ],
    ['a record that is removed', 'changed', (number) => (number < 2 ? ALL : [...ALL.slice(0, 80), ...ALL.slice(81)])],
    [
      'a removed record whose place in the count a new one takes',
      'broken',
      (number) => (number < 2 ? ALL : [...fresh(1), ...ALL.slice(0, 80), ...ALL.slice(81)]),
    ],
    [
      'a record that is never shown though it is counted',
      'broken',
      () => pagedGateway(ALL, { most: 10, spoil: (page) => ({ ...page, total_count: 96 }) }),
    ],
    [
      'a record that comes again in the place of another',
      'broken',
      (number) => (number < 2 ? ALL : ALL.map((edge, at) => (at === 70 ? { ...ALL[3]!, cursor: edge.cursor } : edge))),
    ],
    ['cursors that go round in a circle', 'broken', () => circle],
  ])('%s: not complete', async (_name, verdict, lists) => {
    const done = await rounds(lists)
    expect(verdicts(done)).toEqual([...more(done.length - 1), verdict])
    expect(await stores.one.listScans.find(USER)).toBeNull()
    // The next scan begins again.
    expect(verdicts(await rounds(() => ALL)).at(-1)).toBe('complete')
  })

  /** After the last page comes the first one again, under ever new cursors. */
  const circle: ReadLists = {
    listUserTransactions(_user, { after } = {}) {
      const at = after === undefined ? 0 : Number(after)
      const edges = ALL.slice(at % 90, (at % 90) + 10)
      return Promise.resolve({
        edges,
        page_info: {
          start_cursor: String(at),
          end_cursor: String(at + 10),
          has_next_page: true,
          has_previous_page: at > 0,
        },
        total_count: 95,
      } satisfies TransactionsList)
    },
  }

  test('a record of another user, in any round, proves nothing', async () => {
    const list = ALL.map((edge, at) => (at === 5 ? { ...edge, node: { ...edge.node, user_ref_id: 'user_2' } } : edge))
    const done = await rounds(() => list)
    expect(verdicts(done)).toEqual([...more(ROUNDS - 1), 'broken'])
    expect(done.at(-1)).toMatchObject({ foreign: true })
    const [line, ...others] = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    expect([line, others]).toMatchObject([
      { reason: 'foreign_record', user_reference_id: USER, transaction_uuid: 'u5' },
      [],
    ])
    expect(JSON.parse(line?.event ?? '')).toMatchObject({ user_ref_id: 'user_2' })
  })

  test.each<[string, Error, boolean]>([
    ['a timeout', new OutcomeUnknownError('timed out', { operation: 'list' }), true],
    ['a refused cursor', new RejectedError('unknown cursor', { operation: 'list', status: 400 }), false],
  ])('%s at the first page of a round: the next round begins there or anew: %#', async (_name, error, goesOn) => {
    await round(ALL)
    await expect(round({ listUserTransactions: () => Promise.reject(error) })).rejects.toThrow(error.message)
    expect((await stores.one.listScans.find(USER)) !== null).toBe(goesOn)
    expect(verdicts(await rounds(() => ALL))).toEqual([...more(goesOn ? ROUNDS - 2 : ROUNDS - 1), 'complete'])
  })

  /** The list breaks off at its third page. */
  function breakingOff(): ReadLists {
    const paged = pagedGateway(ALL, { most: 10 })
    let calls = 0
    return {
      listUserTransactions(...query) {
        calls += 1
        if (calls === 3) return Promise.reject(new OutcomeUnknownError('cut', { operation: 'list' }))
        return paged.listUserTransactions(...query)
      },
    }
  }

  test.each([
    ['compare', 'absence'],
    ['absence', 'compare'],
  ] as const)('what a scan for %s has read before it broke off is missed by one for %s', async (first, second) => {
    await rounds(() => ALL)
    now += 20 * MINUTE
    await expect(round(breakingOff(), { purpose: first })).rejects.toThrow('cut')
    const lost = ALL.filter((edge) => edge !== ALL[3])
    const wanted = { purpose: second, findMissing: true }
    expect(await round(lost, wanted, { mostPages: 20 })).toMatchObject({ verdict: 'complete', missing: ['u3'] })
  })

  test('a failure within a round keeps what was read before', async () => {
    await expect(round(breakingOff())).rejects.toThrow('cut')
    expect(await storedNames()).toEqual(NAMES.slice(0, 20))
    expect(await stores.one.listScans.find(USER)).toMatchObject({ rows_seen: 20, began_ms: START + MINUTE })
    expect(verdicts(await rounds(() => ALL)).at(-1)).toBe('complete')
  })

  test('an unreadable record: all others are read over the rounds, and nothing is proved', async () => {
    const read: ReadLists = {
      listUserTransactions(_user, { first, last, after, before }: TransactionsListRequest = {}) {
        const place = (cursor: string) => ALL.findIndex((each) => each.cursor === cursor)
        const end = before === undefined ? ALL.length : place(before)
        const start =
          last === undefined ? (after === undefined ? 0 : place(after) + 1) : Math.max(0, end - Math.min(last, 10))
        const until = last === undefined ? Math.min(ALL.length, start + Math.min(first ?? 20, 10)) : end
        if (start <= 12 && until > 12)
          return Promise.reject(new UnreadableReplyError('another shape', { operation: 'list' }))
        return Promise.resolve({
          edges: ALL.slice(start, until),
          page_info: {
            start_cursor: ALL[start]?.cursor ?? null,
            end_cursor: ALL[until - 1]?.cursor ?? null,
            has_next_page: until < ALL.length,
            has_previous_page: start > 0,
          },
          total_count: ALL.length,
        })
      },
    }
    // It is found by asking for ever fewer records, which takes some calls.
    const done = await rounds(() => read, {}, 14)
    expect(verdicts(done)).toEqual(['more', 'unreadable'])
    expect(done.at(-1)?.unreadable).toBeInstanceOf(Error)
    expect(await storedNames()).toEqual(NAMES.filter((name) => name !== 'u12'))
  })

  test('the comparison does not disturb a scan for an absence, which takes the place of a comparison', async () => {
    const compare = { purpose: 'compare' } as const
    await round(ALL, compare)
    await round(ALL, compare)
    expect(await round(ALL)).toMatchObject({ verdict: 'more', began_ms: START + 3 * MINUTE })
    expect(await round(ALL, compare)).toMatchObject({ verdict: 'more', began_ms: START + 4 * MINUTE })
    expect(await stores.one.listScans.find(USER)).toMatchObject({ purpose: 'absence', rows_seen: 30 })
    expect(verdicts(await rounds(() => ALL))).toEqual([...more(ROUNDS - 2), 'complete'])
  })

  test('a scan for an absence that nobody continues makes way', async () => {
    await round(ALL)
    now += 10 * MINUTE
    await round(ALL, { purpose: 'compare' })
    expect(await stores.one.listScans.find(USER)).toMatchObject({ purpose: 'compare', rows_seen: 30 })
  })

  test('a comparison that goes on reads the newest records in each round', async () => {
    const compare = { purpose: 'compare' } as const
    await round(ALL, compare)
    now = START + 30 * DAY
    const list = [depositEdge('today', now, 'TXN_PROVIDER_SUCCEEDED'), ...ALL]
    expect(await round(list, compare)).toMatchObject({ verdict: 'more', began_ms: START + MINUTE })
    expect((await stores.one.ledger.balance(USER, 'c')).available).toBe('1')
  })

  test('a comparison since a time goes on over rounds until that time, and counts as no read of the whole', async () => {
    const since = { purpose: 'compare', sinceMs: START - (60 + 45) * MINUTE } as const
    const done = [await round(ALL, since), await round(ALL, { ...since, sinceMs: START })]
    expect(verdicts(done)).toEqual(['more', 'recent'])
    expect(done.at(-1)).toMatchObject({ wholeMs: null, began_ms: START + MINUTE })
    expect(await storedNames()).toEqual(NAMES.slice(0, 60))
  })

  test.each([
    ['over rounds', 95],
    ['in one round', 15],
  ])('a complete scan %s names the stored records that the list no longer has', async (_name, length) => {
    const list = ALL.slice(0, length)
    const compare = { purpose: 'compare', findMissing: true } as const
    expect((await rounds(() => list, compare)).at(-1)).toMatchObject({ verdict: 'complete', missing: [] })
    now += DAY
    const gone = new Set(['u2', 'u9'])
    const left = list.filter(({ node }) => !gone.has(node.transaction_uuid))
    const again = await rounds(() => left, compare)
    expect([...(again.at(-1)?.missing ?? [])].sort()).toEqual(['u2', 'u9'])
    expect((await rounds(() => left, { purpose: 'compare' })).at(-1)?.missing).toEqual([])
  })

  test('a user who is erased meanwhile stays erased', async () => {
    await round(ALL)
    const paged = pagedGateway(ALL, { most: 10 })
    let erased = false
    const result = await round({
      async listUserTransactions(...query) {
        if (!erased)
          expect(await eraseUser(stores.one, USER, 'erased_1', () => now)).toMatchObject({ outcome: 'erased' })
        erased = true
        return paged.listUserTransactions(...query)
      },
    })
    expect(result).toMatchObject({ verdict: 'broken' })
    expect([await stores.one.listScans.find(USER), await storedNames()]).toEqual([null, []])
    expect(await stores.one.listScans.addRecords(USER, [])).toBe(0)
    expect(await stores.one.users.exists(USER)).toBe(false)
  })
})
