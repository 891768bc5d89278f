/** A complete scan has read every record that the list had when it began, whatever happens to the list meanwhile. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TransactionsList } from '../gateway/types.ts'
import { advanceScan, beginScan, judgeScan, nextRequest, type Edge, type ScanVerdict } from './scan-state.ts'
import { depositEdge } from './testing/user-list.ts'

/** What happens to the list before a page is requested; places are shares of its length. */
type Change = { readonly kind: 'top' | 'late' | 'removed'; readonly place: number }

interface World {
  readonly length: number
  readonly pageSize: number
  /** Pages of a round. */
  readonly round: number
  /** By call; none after the last. */
  readonly changes: readonly (readonly Change[])[]
  /** The gateway's cursors are numbers of records from the top, which new records move. */
  readonly offsets: boolean
}

/** Scans a list in rounds; the distinct records of all rounds are counted as the store counts them. */
function scan({ length, pageSize, round, changes, offsets }: World) {
  let names = Array.from({ length }, (_item, index) => `r${String(index)}`)
  const order = new Map(names.map((name, index) => [name, index]))
  const began = new Set(names)
  const seen = new Set<string>()
  let calls = 0

  const change = ({ kind, place }: Change): void => {
    const at = kind === 'top' ? 0 : Math.floor(place * names.length)
    if (kind === 'removed') names = names.filter((_name, index) => index !== at)
    else {
      const name = `new${String(order.size)}`
      const above = order.get(names[at - 1] ?? '') ?? -1000 - order.size * 2
      const below = order.get(names[at] ?? '') ?? above + 1
      order.set(name, (above + below) / 2)
      names = [...names.slice(0, at), name, ...names.slice(at)]
    }
  }
  const page = (after: string | undefined): TransactionsList => {
    if (calls > 0) for (const each of changes[calls - 1] ?? []) change(each)
    calls += 1
    const start =
      after === undefined
        ? 0
        : offsets
          ? Number(after)
          : names.filter((name) => (order.get(name) ?? 0) <= (order.get(after) ?? 0)).length
    const shown = names.slice(start, start + pageSize)
    const cursor = offsets ? String(start + shown.length) : (shown.at(-1) ?? null)
    return {
      edges: shown.map((name): Edge => depositEdge(name, 0)),
      page_info: {
        start_cursor: null,
        end_cursor: cursor,
        has_next_page: start + shown.length < names.length,
        has_previous_page: start > 0,
      },
      total_count: names.length,
    }
  }

  let state = beginScan({ beganMs: 0, sinceMs: null })
  let verdict: ScanVerdict = 'more'
  while (verdict === 'more' && calls < 500) {
    const before = state
    const now = new Set<string>()
    for (let pages = 0; pages < round && state.ended === null; pages += 1) {
      const list = page(nextRequest(state).after)
      const known = now.size
      for (const { node } of list.edges) now.add(node.transaction_uuid)
      state = advanceScan(state, { list, fresh: now.size - known, foreign: false })
    }
    for (const name of now) seen.add(name)
    ;({ state, verdict } = judgeScan(before, state, seen.size))
  }
  const missed = names.filter((name) => began.has(name) && !seen.has(name))
  return { verdict, missed, unseen: names.filter((name) => !seen.has(name)) }
}

const worldOf = (kinds: readonly Change['kind'][], offsets: boolean): fc.Arbitrary<World> =>
  fc.record({
    length: fc.integer({ min: 0, max: 40 }),
    pageSize: fc.integer({ min: 1, max: 7 }),
    round: fc.integer({ min: 1, max: 6 }),
    changes: fc.array(
      fc.array(fc.record({ kind: fc.constantFrom(...kinds), place: fc.double({ min: 0, max: 0.999, noNaN: true }) }), {
        maxLength: 2,
      }),
      { maxLength: 8 },
    ),
    offsets: fc.constant(offsets),
  })

test('cursors of records: a complete scan misses none, whatever is added or removed', () => {
  fc.assert(
    fc.property(worldOf(['top', 'late', 'removed'], false), (world) => {
      const { verdict, missed } = scan(world)
      expect(verdict).not.toBe('more')
      if (verdict === 'complete') expect(missed).toEqual([])
    }),
    { numRuns: 3000 },
  )
})

test('cursors of numbers, which new records move: a complete scan misses none', () => {
  fc.assert(
    fc.property(worldOf(['top'], true), (world) => {
      const { verdict, unseen } = scan(world)
      expect(verdict).not.toBe('more')
      if (verdict === 'complete') expect(unseen).toEqual([])
    }),
    { numRuns: 3000 },
  )
})

test('a list that only grows on top, and then rests, is complete in the end', () => {
  fc.assert(
    fc.property(worldOf(['top'], false), (world) => {
      // It rests before the scan has come to the end.
      const pages = Math.ceil(world.length / world.pageSize)
      const { verdict, unseen } = scan({ ...world, changes: world.changes.slice(0, Math.max(0, pages - 1)) })
      expect([verdict, unseen]).toEqual(['complete', []])
    }),
    { numRuns: 3000 },
  )
})
