import { sql } from 'kysely'
import type { ListFilter, ListSortName } from '#lib/contract/operate/lists.ts'
import { ENDED_WITHDRAWAL_STATUSES } from '../../ledger/withdrawal-statuses.ts'
import { WITHDRAWAL_STATUSES } from '#lib/contract/cashier.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import {
  among,
  amountBounds,
  equalTo,
  literals,
  timeBounds,
  timesOf,
  WHOLE_INDEX,
  type Condition,
  type ListTable,
  type Path,
} from './list-table.ts'

type Filter = ListFilter<'withdrawals'>

const OPEN = WITHDRAWAL_STATUSES.filter((status) => !ENDED_WITHDRAWAL_STATUSES.includes(status))

/** The withdrawals that may need a person: the reader of the list decides (`attentionOf`). */
const ATTENTION = [
  sql<boolean>`overdue_ms is not null`,
  sql<boolean>`status in ('pending_authorization', 'unknown')`,
  sql<boolean>`status <> 'succeeded' and user_reference_id in (
    select user_reference_id from payouts where owner is null and awaits_list = 0)`,
]
const SHOWN: Readonly<Record<NonNullable<Filter['show']>, readonly Condition[]>> = {
  open: [sql<boolean>`status in (${literals(OPEN)})`],
  attention: ATTENTION,
  overdue: [sql<boolean>`overdue_ms is not null`],
}
const either = (conditions: readonly Condition[]): Condition => sql<boolean>`(${sql.join(conditions, sql` or `)})`

const withStatuses = (statuses: readonly string[]): readonly Condition[] => statuses.map(equalTo('status'))

const ofUser: Path<Filter> = {
  covers: ['user'],
  ranges: ({ user }) => (user === undefined ? null : [equalTo('user_reference_id')(user)]),
}

export const withdrawalsList = (flavour: Flavour): ListTable<Filter, ListSortName<'withdrawals'>> => ({
  table: 'withdrawals',
  time: 'created_ms',
  conditions: {
    show: (shown) => either(SHOWN[shown]),
    status: (statuses) => among(flavour, 'status', statuses),
    user: equalTo('user_reference_id'),
    currency: equalTo('currency_code'),
    network: equalTo('network'),
    ...amountBounds(flavour, 'amount'),
    ...timesOf('created_ms'),
  },
  orders: {
    created_at: {
      by: ['created_ms', 'id'],
      least: 0,
      bounds: timeBounds('created_ms'),
      exact: true,
      paths: [
        { covers: ['show'], sets: ({ show }) => (show === undefined || show === 'open' ? null : SHOWN[show]) },
        ofUser,
        { covers: ['status'], ranges: ({ status }) => (status === undefined ? null : withStatuses(status)) },
        { covers: ['show'], ranges: ({ show }) => (show === 'open' ? withStatuses(OPEN) : null) },
        { covers: [], ranges: () => WHOLE_INDEX },
      ],
    },
    status: {
      by: ['status', 'created_ms', 'id'],
      least: '',
      paths: [{ covers: [], ranges: () => WHOLE_INDEX }],
    },
    user_reference_id: {
      by: ['user_reference_id', 'created_ms', 'id'],
      least: '',
      paths: [ofUser, { covers: [], ranges: () => WHOLE_INDEX }],
    },
  },
})
