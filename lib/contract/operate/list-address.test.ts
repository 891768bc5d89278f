import { expect, test } from 'vitest'
import { fileQuery, LIST_ADDRESSES, serverQuery, viewQueryOf } from './list-address.ts'

const state = LIST_ADDRESSES.payouts.parse({
  status: 'failed,other',
  owner: 'none',
  from: '2026-11-01',
  sort: 'first_seen_at',
  cursor: 'abc',
  columns: 'amount,owner',
  foreign: 'x',
})

test('the server is asked for rows, a file for all of them, and a view keeps the columns', () => {
  expect(serverQuery('payouts', state)).toBe(
    'owner=none&status=failed%2Cother&from=2026-11-01&sort=first_seen_at&cursor=abc',
  )
  expect(fileQuery('payouts', state)).toBe('owner=none&status=failed%2Cother&from=2026-11-01&sort=first_seen_at')
  expect(viewQueryOf(state)).toBe(
    'columns=amount%2Cowner&from=2026-11-01&owner=none&sort=first_seen_at&status=failed%2Cother',
  )
  for (const page of ['before', 'after', 'limit']) expect(viewQueryOf({ [page]: '7', user: 'u-1' })).toBe('user=u-1')
})

test('what is not valid is named, so that the page leaves it out', () => {
  const { error } = LIST_ADDRESSES.withdrawals.safeParse({ status: 'gone', from: 'soon', user: 'u-1', sort: 'amount' })
  expect(error?.issues.map(({ path }) => path[0])).toEqual(['status', 'from', 'sort'])
})
