import { sql } from 'kysely'
import { QUARANTINE_REASONS, type ListFilter, type ListSortName } from '#lib/contract/operate/lists.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { QuarantineRow } from '../tables/quarantine.ts'
import {
  among,
  equalTo,
  WHOLE_INDEX,
  type Condition,
  type ListTable,
  type Path,
  type TimeBounds,
} from './list-table.ts'

type Filter = ListFilter<'quarantine'>

/** Numbers follow the times of the lines but for instances that write at once, with clocks that differ. */
const CLOCKS_DIFFER_MS = 60_000

/** The number of the first line that was received at this time or later; null if there is none. */
const firstSince = (ms: number) =>
  sql`(select id from quarantine where received_ms >= ${ms} order by received_ms limit 1)`

/** The numbers that lines of these times may have. */
const numberBounds = ({ from, to }: Filter): TimeBounds => ({
  from: from === undefined ? null : sql<boolean>`id >= ${firstSince(from - CLOCKS_DIFFER_MS)}`,
  to:
    to === undefined
      ? null
      : sql<boolean>`id < coalesce(${firstSince(to + CLOCKS_DIFFER_MS)}, ${Number.MAX_SAFE_INTEGER})`,
})

const OPEN = sql<boolean>`settled_ms is null`
const SHOWN: Readonly<Record<Filter['show'], Condition | null>> = {
  open: OPEN,
  // What the landing page counts (`tables/attention.ts`).
  gateway: sql<boolean>`settled_ms is null and (reason <> 'overdue' or (user_reference_id, coalesce(transaction_uuid, ''))
    not in (select w.user_reference_id, w.id from withdrawals w where w.step = 'pending'))`,
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
/** Of the open ones, those that the landing page counts are tested row by row. */
const counted: Path<Filter> = { covers: [], ranges: ({ show }) => (show === 'gateway' ? [OPEN] : null) }

export const quarantineList = (flavour: Flavour): ListTable<Filter, ListSortName<'quarantine'>> => ({
  table: 'quarantine',
  columns: COLUMNS,
  time: 'received_ms',
  conditions: {
    show: (shown) => SHOWN[shown],
    reason: (reasons) => among(flavour, 'reason', reasons),
    user: equalTo('user_reference_id'),
    // Not by an index of this column.
    from: (ms) => sql<boolean>`+received_ms >= ${ms}`,
    to: (ms) => sql<boolean>`+received_ms < ${ms}`,
  },
  orders: {
    received_at: {
      by: ['id'],
      least: 0,
      bounds: numberBounds,
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
        {
          covers: ['reason'],
          ranges: ({ show, reason }) => (show === 'gateway' && reason !== undefined ? withReasons(reason, OPEN) : null),
        },
        open,
        counted,
        { covers: ['reason'], ranges: ({ reason }) => (reason === undefined ? null : reason.map(equalTo('reason'))) },
        { covers: [], ranges: () => WHOLE_INDEX },
      ],
    },
    reason: { by: ['reason', 'id'], least: '', paths: [open, counted, { covers: [], ranges: () => WHOLE_INDEX }] },
  },
})
