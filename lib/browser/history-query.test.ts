import { expect, test } from 'vitest'
import { historyQuery, readHistoryView } from './history-query.ts'

const view = (query: string) => {
  const address = new URLSearchParams(query)
  return readHistoryView((name) => address.get(name))
}

test.each([
  ['', 'first=20'],
  ['type=Deposit', 'first=20&transaction_types=Deposit'],
  ['range=this_month&type=Payout', 'first=20&time_range=this_month&transaction_types=Payout'],
  ['after=c1', 'first=20&after=c1'],
  ['before=c1&range=today', 'last=20&before=c1&time_range=today'],
  ['after=a&before=b', 'first=20&after=a'],
  ['type=Refund&range=ever', 'first=20'],
])('the URL query "%s" becomes the API query %s', (address, query) => {
  expect(historyQuery(view(address))).toBe(query)
})
