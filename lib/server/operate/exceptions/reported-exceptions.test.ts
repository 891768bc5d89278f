import { expect, test } from 'vitest'
import type { StoredReport } from '../../store/types.ts'
import { reportedExceptions } from './reported-exceptions.ts'

const MINUTE_MS = 60_000
const NOW = 1_000 * MINUTE_MS

const report = (what: StoredReport['what'], more: Partial<StoredReport> = {}): StoredReport => ({
  instance: 'i1',
  what,
  since_ms: NOW - MINUTE_MS,
  last_ms: NOW - 1000,
  count: 1,
  detail: null,
  now_ms: NOW,
  ...more,
})

const kinds = (reports: readonly StoredReport[], lastWebhookMs: number | null = null) =>
  reportedExceptions(reports, lastWebhookMs, NOW).map(({ kind, count, oldestMs }) => [kind, count, oldestMs])

test('failures of the gateway add up over instances, since the first of them', () => {
  const reports = [
    report('gateway_down', { count: 3, detail: 'list: unreachable' }),
    report('gateway_down', { instance: 'i2', count: 4, since_ms: NOW - 5 * MINUTE_MS }),
    report('gateway_refuses'),
  ]
  expect(kinds(reports)).toEqual([
    ['gateway_down', 7, NOW - 5 * MINUTE_MS],
    ['gateway_refuses', 1, NOW - MINUTE_MS],
  ])
  expect(reportedExceptions(reports, null, NOW)[0]?.detail).toBe('list: unreachable')
})

test('an instance that is gone says nothing', () => {
  expect(kinds([report('gateway_down', { last_ms: NOW - 11 * MINUTE_MS })])).toEqual([])
})

test('refused webhooks count until one is accepted', () => {
  const refused = report('webhook_refused', { count: 9 })
  expect(kinds([refused])).toEqual([['webhooks_refused', 9, NOW - MINUTE_MS]])
  expect(kinds([refused], NOW - 500)).toEqual([])
  // The first ones were before it, so the time of the last is all that is known.
  expect(kinds([refused], NOW - 30_000)).toEqual([['webhooks_refused', 9, NOW - 1000]])
})

test('silence: the list told for ten minutes what no webhook did', () => {
  const news = report('list_news', { count: 4, since_ms: NOW - 12 * MINUTE_MS })
  expect(kinds([news], NOW - 20 * MINUTE_MS)).toEqual([['webhooks_silent', 4, NOW - 20 * MINUTE_MS]])
  expect(kinds([news])).toEqual([['webhooks_silent', 4, NOW - 12 * MINUTE_MS]])
  expect(kinds([{ ...news, since_ms: NOW - 9 * MINUTE_MS }])).toEqual([])
  expect(kinds([news], NOW - 500)).toEqual([])
})
