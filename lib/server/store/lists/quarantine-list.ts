import { sql } from 'kysely'
import { QUARANTINE_REASONS, type ListFilter, type ListSortName } from '#lib/contract/operate/lists.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { QuarantineRow } from '../tables/quarantine.ts'
import { among, equalTo, wholeIndex, type Condition, type ListTable, type Path } from './list-table.ts'

type Filter = ListFilter<'quarantine'>

/** Numbers follow the times of the lines but for instances that write at once, with clocks that differ. */
const CLOCKS_DIFFER_MS = 60_000

/** The number of the first line that was received at this time or later; null if there is none. */
const firstSince = (ms: number) =>
  sql`(select id from quarantine where received_ms >= ${ms} order by received_ms limit 1)`

const OPEN = sql<boolean>`settled_ms is null`
const SHOWN: Readonly<Record<Filter['show'], Condition | null>> = {
  open: OPEN,
  settled: sql<boolean>`settled_ms is not null`,
  all: null,
}

/** Without the event, which may be long. */
const COLUMNS = [
  ...(['id', 'reason', 'received_ms', 'event_name', 'user_reference_id', 'transaction_uuid'] as const),
  ...(['settled_ms', 'settled_by', 'note'] as const),
] as const
export type QuarantineListLine = Pick<QuarantineRow, (typeof COLUMNS)[number]>

const withReasons = (reasons: readonly string[], condition: Condition): readonly Condition[] =>
  reasons.map((reason) => sql<boolean>`${condition} and reason = ${reason}`)

const open: Path<Filter> = { covers: ['show'], ranges: ({ show }) => (show === 'open' ? [OPEN] : null) }

export const quarantineList = (flavour: Flavour): ListTable<Filter, ListSortName<'quarantine'>> => ({
  table: 'quarantine',
  columns: COLUMNS,
  time: 'received_ms',
  conditions: {
    show: (shown) => SHOWN[shown],
    reason: (reasons) => among(flavour, 'reason', reasons),
    user: equalTo('user_reference_id'),
    from: (ms) => sql<boolean>`(id >= ${firstSince(ms - CLOCKS_DIFFER_MS)} and received_ms >= ${ms})`,
    to: (ms) =>
      sql<boolean>`(id < coalesce(${firstSince(ms + CLOCKS_DIFFER_MS)}, ${Number.MAX_SAFE_INTEGER}) and received_ms < ${ms})`,
  },
  orders: {
    received_at: {
      by: ['id'],
      bounds: ['from', 'to'],
      paths: [
        {
          covers: ['user', 'reason'],
          ranges: ({ user, reason = QUARANTINE_REASONS }) =>
            user === undefined ? null : withReasons(reason, equalTo('user_reference_id')(user)),
        },
        {
          covers: ['show', 'reason'],
          ranges: ({ show, reason }) => (show === 'open' && reason !== undefined ? withReasons(reason, OPEN) : null),
        },
        open,
        { covers: ['reason'], ranges: ({ reason }) => (reason === undefined ? null : reason.map(equalTo('reason'))) },
        { covers: [], ranges: wholeIndex('id', 'number') },
      ],
    },
    reason: { by: ['reason', 'id'], bounds: [], paths: [open, { covers: [], ranges: wholeIndex('reason', 'text') }] },
  },
})
