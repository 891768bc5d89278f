/**
 * The console's lists at a million rows each, on SQLite and PostgreSQL: the slowest page of each kind. The peer's figure
 * is what each page must stay below.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditQuery } from '../lib/contract/operate/audit.ts'
import { deliveriesAsked } from '../lib/contract/operate/deliveries.ts'
import { createReadAudit } from '../lib/server/operate/audit/read-audit.ts'
import type { DeliveryIds } from '../lib/server/operate/deliveries/delivery-shapes.ts'
import { createListDeliveries } from '../lib/server/operate/deliveries/list-deliveries.ts'
import { createReadList } from '../lib/server/operate/lists/read-list.ts'
import { LIST_NAMES, LIST_QUERIES, type ListName, type ListQuery } from '../lib/contract/operate/lists.ts'
import { openStore, type Store } from '../lib/server/store/store.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { fillLists, HEAVY_USER, idOfRow, timeOfRow } from './list-rows.ts'
import type { Row } from './table.ts'

const MILLION = 1_000_000
const MOST_MS = 100
const REPEATS = 8

const day = (row: number): string => new Date(timeOfRow(row)).toISOString()
const OLD = day(MILLION / 10)

const MONEY: readonly string[] = [
  '',
  'user=user-7',
  `user=${HEAVY_USER}`,
  `user=${HEAVY_USER}&currency=XMR`,
  'currency=XMR',
  'currency=NONE',
  'network=Monero&amount_from=4999',
  'amount_from=4999.5&amount_to=4999.6',
  'status=failed',
  `to=${OLD}`,
  `from=${OLD}&to=${day(MILLION / 5)}&currency=NONE`,
  'show=attention',
  'show=attention&currency=XMR',
]

const QUERIES: Readonly<Record<ListName, readonly string[]>> = {
  transactions: [...MONEY, 'show=open', 'show=overdue', 'status=processing', 'status=processing,failed', 'kind=onramp'],
  withdrawals: [
    ...MONEY,
    'show=open',
    'show=overdue',
    'status=unknown',
    'status=unknown,failed',
    'sort=status',
    'sort=-user_reference_id&currency=NONE',
  ],
  payouts: [...MONEY, 'owner=none', 'owner=none,before', 'owner=before', 'sort=user_reference_id'],
  quarantine: [
    '',
    'show=all',
    'show=settled',
    'show=all&reason=stale',
    'reason=stale,overdue',
    'reason=lost_commits',
    'show=all&reason=lost_commits',
    'user=user-7&show=all',
    `user=${HEAVY_USER}&show=all`,
    `user=${HEAVY_USER}`,
    `show=all&to=${OLD}`,
    `from=${OLD}&to=${day(MILLION / 5)}&show=all&user=user-9`,
    'sort=reason',
  ],
}

const DELIVERIES: readonly string[] = [
  '',
  'state=waiting',
  'state=failing',
  'state=dead',
  'state=delivered',
  'user=user-7',
  `user=${HEAVY_USER}`,
  `user=${HEAVY_USER}&state=dead`,
  `transaction=${idOfRow(MILLION / 2)}`,
  'outcome=503',
  'outcome=204',
  'outcome=timeout',
  'outcome=500',
  `to=${OLD}`,
  `from=${OLD}&to=${day(MILLION / 5)}&outcome=204`,
]

const AUDIT: readonly string[] = [
  '',
  'operator=Rare',
  'operator=Operator 3',
  'action=user.erase',
  'operator=Operator 3&action=user.erase',
  'operator=Rare&action=user.open',
  'about=user-7',
  `about=${HEAVY_USER}`,
  `about=${HEAVY_USER}&action=user.erase`,
  `to=${OLD}`,
  `from=${OLD}&to=${day(MILLION / 5)}&action=user.open`,
]

/** Each list: its queries, and how a page is read. */
function pagesOf(store: Store): readonly (readonly [list: string, queries: readonly string[], read: Read])[] {
  const readList = createReadList(store, Date.now)
  const deliveries = createListDeliveries({ store, ids: NUMBERS, endpoint: null, clock: Date.now })
  const audit = createReadAudit(store)
  return [
    ...LIST_NAMES.map(
      (list) =>
        [list, QUERIES[list], (query: object) => readList(list, LIST_QUERIES[list].parse(query) as ListQuery)] as const,
    ),
    ['deliveries', DELIVERIES, (query) => deliveries(deliveriesAsked.parse(query))],
    ['audit', AUDIT, (query) => audit.list(auditQuery.parse(query))],
  ]
}

type Read = (query: object) => Promise<unknown>

/** Deliveries are named by their numbers here. */
const NUMBERS: DeliveryIds = {
  read: (ids) => Promise.resolve(ids.map(Number)),
  writer: () => Promise.resolve(String),
}

interface Measured {
  readonly query: string
  readonly ms: number
}

async function listsOn(name: string, url: string): Promise<readonly Row[]> {
  const store = await openStore({ url, clock: Date.now, deliver: false })
  try {
    await fillLists(store, MILLION)
    const rows: Row[] = []
    for (const [list, queries, read] of pagesOf(store)) {
      const measured: Measured[] = []
      for (const query of queries) {
        const asked = Object.fromEntries(new URLSearchParams(query))
        const times: number[] = []
        for (let n = 0; n < REPEATS; n += 1) {
          const began = performance.now()
          await read(asked)
          times.push(performance.now() - began)
        }
        measured.push({ query, ms: times.toSorted((a, b) => a - b)[REPEATS / 2] ?? 0 })
      }
      const slowest = measured.toSorted((a, b) => b.ms - a.ms)
      for (const { query, ms } of process.env['ALL'] ? slowest : slowest.slice(0, 1))
        rows.push({ what: `${name}: slowest page of ${list} (${query || 'all'}), ms`, ours: ms, peer: MOST_MS })
    }
    return rows
  } finally {
    await store.close()
  }
}

export async function lists(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'))
  const postgres = await startPostgres()
  try {
    return [
      ...(await listsOn('SQLite', `file:${join(folder, 'lists.db')}`)),
      ...(await listsOn('PostgreSQL', postgres.url)),
    ]
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
