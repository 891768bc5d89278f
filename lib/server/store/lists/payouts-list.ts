import { sql } from 'kysely'
import type { ListFilter, ListSortName } from '#lib/contract/operate/lists.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import {
  among,
  amountBounds,
  equalTo,
  timeBounds,
  timesOf,
  WHOLE_INDEX,
  type ListTable,
  type Path,
} from './list-table.ts'

type Filter = ListFilter<'payouts'>

const UNOWNED = sql<boolean>`owner is null`

const ofUser: Path<Filter> = {
  covers: ['user'],
  ranges: ({ user }) => (user === undefined ? null : [equalTo('user_reference_id')(user)]),
}

const isOwnedBy = (flavour: Flavour, owners: readonly string[]) => {
  const named = among(flavour, 'owner', owners)
  return owners.includes('none') ? sql<boolean>`(${UNOWNED} or ${named})` : named
}

export const payoutsList = (flavour: Flavour): ListTable<Filter, ListSortName<'payouts'>> => ({
  table: 'payouts',
  time: 'first_seen_ms',
  conditions: {
    show: () => sql<boolean>`owner is null and awaits_list = 0`,
    owner: (owners) => isOwnedBy(flavour, owners),
    status: (statuses) => among(flavour, 'status', statuses),
    user: equalTo('user_reference_id'),
    currency: equalTo('currency_code'),
    network: equalTo('network'),
    ...amountBounds(flavour, 'amount'),
    ...timesOf('first_seen_ms'),
  },
  orders: {
    first_seen_at: {
      by: ['first_seen_ms', 'transaction_uuid'],
      least: 0,
      bounds: timeBounds('first_seen_ms'),
      exact: true,
      paths: [
        ofUser,
        { covers: ['owner'], ranges: ({ owner }) => (owner?.join() === 'none' ? [UNOWNED] : null) },
        { covers: [], ranges: ({ show }) => (show === undefined ? null : [UNOWNED]) },
        { covers: [], ranges: () => WHOLE_INDEX },
      ],
    },
    user_reference_id: {
      by: ['user_reference_id', 'first_seen_ms', 'transaction_uuid'],
      least: '',
      paths: [ofUser, { covers: [], ranges: () => WHOLE_INDEX }],
    },
  },
})
