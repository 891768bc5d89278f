import { sql } from 'kysely'
import type { ListFilter } from '#lib/contract/operate/lists.ts'
import { OPEN_TRANSACTION_STATUSES } from '../../ledger/transaction-statuses.ts'
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
  type ListOrder,
  type ListTable,
} from './list-table.ts'

type Filter = ListFilter<'transactions'>

const OPEN = sql<boolean>`status in (${literals(OPEN_TRANSACTION_STATUSES)})`
const ATTENTION = sql<boolean>`(overdue_ms is not null or vanished_ms is not null or standing = 'disputed')`
const SHOWN: Readonly<Record<NonNullable<Filter['show']>, Condition>> = {
  open: OPEN,
  attention: ATTENTION,
  overdue: sql<boolean>`${ATTENTION} and overdue_ms is not null`,
}

const isOpen = (status: string): boolean => OPEN_TRANSACTION_STATUSES.some((open) => open === status)

const byTime: ListOrder<Filter> = {
  by: ['created_ms', 'transaction_uuid', 'kind'],
  least: 0,
  bounds: timeBounds('created_ms'),
  exact: true,
  paths: [
    // An index by user and time would cost each webhook a further page. Whoever has too many rows for this has enough
    // of them among the newest of all users.
    { covers: ['user'], sets: ({ user }) => (user === undefined ? null : [equalTo('user_reference_id')(user)]) },
    {
      covers: ['show'],
      ranges: ({ show }) => (show === undefined || show === 'open' ? null : [SHOWN[show]]),
    },
    { covers: ['show'], sets: ({ show }) => (show === 'open' ? [OPEN] : null) },
    { covers: [], sets: ({ status }) => (status?.every(isOpen) === true ? [OPEN] : null) },
    { covers: [], ranges: () => WHOLE_INDEX },
  ],
}

export const transactionsList = (flavour: Flavour): ListTable<Filter, 'created_at'> => ({
  table: 'transactions',
  time: 'created_ms',
  conditions: {
    show: (shown) => SHOWN[shown],
    kind: (kinds) => among(flavour, 'kind', kinds),
    status: (statuses) => among(flavour, 'status', statuses),
    user: equalTo('user_reference_id'),
    currency: equalTo('currency_code'),
    network: equalTo('network'),
    ...amountBounds(flavour, 'amount'),
    ...timesOf('created_ms'),
  },
  orders: { created_at: byTime },
})
