import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createMetrics, type Metrics } from './metrics.ts'

const linesOf = async (text: Promise<string>, name: RegExp) =>
  (await text).split('\n').filter((line) => name.test(line))

const NAMES = /^cashier_(reconciliation_(waiting|oldest)|unreadable|oldest_(unknown|processing)|gateway_clock)/

test('the work of reconciliation is measured when the metrics are read', async () => {
  const metrics = createMetrics({ version: '1.2.3' })
  let count = 2
  metrics.watchReconciliation({
    waiting: () =>
      Promise.resolve([
        { priority: 'unknown', count, oldestMs: 1500 },
        { priority: 'sweep', count: 0, oldestMs: 0 },
      ]),
    unreadable: () => Promise.resolve(1),
    oldestWithdrawalS: (status) => Promise.resolve(status === 'unknown' ? 60.5 : 7200),
    gatewayClockS: () => -0.25,
  })
  const lines = () => linesOf(metrics.text(), NAMES)
  expect(await lines()).toEqual([
    'cashier_reconciliation_waiting{priority="unknown"} 2',
    'cashier_reconciliation_waiting{priority="sweep"} 0',
    'cashier_reconciliation_oldest_seconds{priority="unknown"} 1.5',
    'cashier_reconciliation_oldest_seconds{priority="sweep"} 0',
    'cashier_unreadable_lists 1',
    'cashier_oldest_unknown_seconds 60.5',
    'cashier_oldest_processing_seconds 7200',
    'cashier_gateway_clock_skew_seconds -0.25',
  ])
  count = 3
  expect(await lines()).toContain('cashier_reconciliation_waiting{priority="unknown"} 3')
})

test('one metric has the version of the cashier', async () => {
  const lines = (metrics: Metrics) => linesOf(metrics.text(), /^cashier_build_info/)
  expect(await lines(createMetrics({ version: '1.2.3', commit: 'c0ffee' }))).toEqual([
    'cashier_build_info{version="1.2.3",commit="c0ffee"} 1',
  ])
  expect(await lines(createMetrics({ version: '1.2.3' }))).toEqual(['cashier_build_info{version="1.2.3",commit=""} 1'])
})

test('a series with an alarm begins at 0, so that its first event is an increase', async () => {
  const expressions = await readFile('ops/prometheus/cashier.rules.yml', 'utf8')
  const increases = [...expressions.matchAll(/increase\((\w+)(?:\{(\w+)=~?"([^"]+)"\})?\[/g)]
  expect(increases.length).toBeGreaterThan(5)
  const metrics = createMetrics({ version: '1.2.3' })
  metrics.reconciliation({ settled: 0, missedWebhooks: 0, resumed: 0, faults: 0 })
  const text = await metrics.text()
  for (const [, name, label, values] of increases)
    for (const value of values?.split('|') ?? [''])
      expect(text).toMatch(
        label === undefined
          ? new RegExp(`^${name} [01]$`, 'm')
          : new RegExp(`^${name}\\{.*${label}="${value}".*\\} 0$`, 'm'),
      )
})

test('an unknown value is left out, and fails no other metric', async () => {
  const metrics = createMetrics({ version: '1.2.3' })
  const away = () => Promise.reject(new Error('no database'))
  metrics.watchReconciliation({ waiting: away, unreadable: away, oldestWithdrawalS: away, gatewayClockS: () => null })
  metrics.watchUnmatchedPayouts(away)
  metrics.watchQuarantine(away)
  metrics.watchDeliveries(away)
  expect(await linesOf(metrics.text(), NAMES)).toEqual([])
  expect(await linesOf(metrics.text(), /^cashier_(unmatched|quarantine|deliveries_waiting)/)).toEqual([])
  expect(await linesOf(metrics.text(), /^process_cpu_seconds_total/)).toHaveLength(1)
})
