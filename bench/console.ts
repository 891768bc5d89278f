/**
 * The reads of the console's landing page and its search, at a million transactions of 100,000 users, on SQLite and
 * PostgreSQL. The peer's figure is what each read must stay below.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBookTotalsJob } from '../lib/server/operate/exceptions/book-totals-job.ts'
import { createDayNumbers } from '../lib/server/operate/exceptions/day-numbers.ts'
import { createLastDays } from '../lib/server/operate/exceptions/last-days.ts'
import { createListExceptions } from '../lib/server/operate/exceptions/list-exceptions.ts'
import { createReadChanges } from '../lib/server/operate/live/read-changes.ts'
import { createSearch } from '../lib/server/operate/search/search.ts'
import { openStore, type Store } from '../lib/server/store/store.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { fillConsole, type KnownIds } from './console-rows.ts'
import type { Row } from './table.ts'

const LANDING_MS = 100
const SEARCH_MS = 200
const TIMES = 30
const MILLION = 1_000_000

/** The first answer, and the median of the others. */
async function timesOf(work: () => Promise<unknown>): Promise<readonly [first: number, median: number]> {
  const times: number[] = []
  for (let count = 0; count <= TIMES; count += 1) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  const [first = 0, ...others] = times
  return [first, others.toSorted((one, other) => one - other)[TIMES / 2] ?? 0]
}

const textsOf = (ids: KnownIds): readonly (readonly [what: string, text: string])[] => [
  ['a user', ids.user],
  ['the beginning of users', 'player'],
  ['a transaction', ids.uuid],
  ['the beginning of a transaction', ids.uuid.slice(0, 7)],
  ['a withdrawal', ids.withdrawal],
  ['a purchase', ids.onramp],
  ['the key of a purchase', ids.key],
  ['a hash', `0x${ids.hash}`],
  ['the beginning of a hash', ids.hash.slice(0, 10)],
  ['an address that was paid', ids.address],
  ['a deposit address', ids.depositAddress.toUpperCase()],
  ['a session', ids.session],
  ['a request', ids.request],
  ['a number', '77777'],
  ['nothing', 'no-such-thing-anywhere'],
]

async function measure(name: string, store: Store, ids: KnownIds, nowMs: number): Promise<readonly Row[]> {
  const clock = (): number => nowMs
  const rows: Row[] = []
  const note = async (what: string, most: number, work: () => Promise<unknown>): Promise<void> => {
    const [first, median] = await timesOf(work)
    rows.push({ what: `${name}: ${what}, first answer, ms`, ours: first, peer: most })
    rows.push({ what: `${name}: ${what}, ms`, ours: median, peer: most })
  }
  const [exceptions, day] = [createListExceptions({ store, clock }), createDayNumbers({ store, clock })]
  const lastDays = createLastDays({ store, clock })
  const zone = { time_zone: 'Asia/Kathmandu' }
  await note('landing page', LANDING_MS, () => Promise.all([exceptions(), day(zone)]))
  await note('charts of the landing page', LANDING_MS, () => lastDays(zone))
  await note('what has changed', LANDING_MS, createReadChanges(store))
  const search = createSearch({ store, nameEvents: () => Promise.resolve(String) })
  for (const [what, text] of textsOf(ids)) await note(`search of ${what}`, SEARCH_MS, () => search({ q: text }))
  return rows
}

async function consoleOn(name: string, url: string): Promise<readonly Row[]> {
  const nowMs = Date.now()
  const open = (): Promise<Store> => openStore({ url, clock: Date.now, deliver: false })
  let store = await open()
  const ids = await fillConsole(store, nowMs, MILLION)
  await store.operators.add({ id: 'o', name: 'o', name_key: 'o', role: 'viewer', created_ms: 1, disabled_ms: null })
  const began = performance.now()
  await createBookTotalsJob({
    store,
    holder: 'bench',
    clock: Date.now,
    onFault: (error) => {
      throw error
    },
  }).runOnce()
  const seconds = (performance.now() - began) / 1000
  await store.close()
  store = await open()
  try {
    const rows = await measure(name, store, ids, nowMs)
    return [...rows, { what: `${name}: adding up all balances and control totals, s`, ours: seconds, peer: null }]
  } finally {
    await store.close()
  }
}

export async function consoleReads(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-console-'))
  const postgres = await startPostgres()
  try {
    return [
      ...(await consoleOn('SQLite', `file:${join(folder, 'console.db')}`)),
      ...(await consoleOn('PostgreSQL', postgres.url)),
    ]
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}
