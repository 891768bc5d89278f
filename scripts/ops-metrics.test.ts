/** The metrics and labels in ops/prometheus and ops/grafana exist in a running cashier. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { CAN_APPLY } from '#lib/server/merchant/quarantine-reasons.ts'
import { startSystem, type System } from '../e2e/system/start-system.ts'
import { namesIn, rowsUnder } from './read-markdown.ts'

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })).min(1),
})

const rules = readFileSync('ops/prometheus/cashier.rules.yml', 'utf8')
const ruleTests = readFileSync('ops/prometheus/cashier.rules.test.yml', 'utf8')
const { panels } = dashboard.parse(JSON.parse(readFileSync('ops/grafana/cashier.json', 'utf8')))
const expressions = [rules, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))].join('\n')

const sorted = (names: Iterable<string | undefined>): readonly string[] =>
  [...new Set(names)].filter((name) => name !== undefined).toSorted()
const withoutSuffix = (name = ''): string => name.replace(/^(cashier_\w+_seconds)_(?:bucket|count|sum)$/, '$1')
const used = sorted(
  Array.from(expressions.matchAll(/\b(?:cashier|process|nodejs)_\w+/g), ([name]) => withoutSuffix(name)),
)

let system: System
beforeAll(async () => {
  // The metric of deliveries exists only if the merchant has a webhook.
  system = await startSystem({ cashier: { MERCHANT_WEBHOOK_URL: 'http://localhost:9/' } })
})
afterAll(() => system.close())

test('a running cashier has every metric of the alarms and the dashboard', async () => {
  const text = await (await fetch(`${system.publicUrl}/api/metrics`)).text()
  const known = new Set(Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name]) => name))
  expect(used.filter((name) => !known.has(name))).toEqual([])
  expect(used.length).toBeGreaterThan(15)
})

test('every label that they select or group by belongs to the metric', () => {
  const documented = rowsUnder(readFileSync('docs/reference/metrics.md', 'utf8'), 'Metrics')
    .flatMap(([first = '']) => namesIn(first))
    .map((name) => /^(\w+)(?:\{([\w,]+)\})?$/.exec(name))
  const labels = new Map(documented.map((found) => [found?.[1], found?.[2]?.split(',') ?? []]))
  const chosen = Array.from(expressions.matchAll(/\b(cashier_\w+)\{([^}]*)\}/g), ([, name, inside = '']) =>
    Array.from(inside.matchAll(/(\w+)(?:=|!=|=~|!~)"/g), ([, label = '']) => ({ name: withoutSuffix(name), label })),
  ).flat()
  const strange = chosen.filter(({ name, label }) => label !== 'job' && !labels.get(name)?.includes(label))
  expect(strange).toEqual([])
  const all = new Set(['le', 'instance', ...[...labels.values()].flat()])
  const grouped = Array.from(expressions.matchAll(/\bby \(([^)]+)\)/g), ([, names = '']) => names.split(/,\s*/)).flat()
  expect(grouped.filter((label) => !all.has(label))).toEqual([])
  expect([chosen.length > 10, grouped.length > 10]).toEqual([true, true])
})

test('an alarm names each reason of the quarantine that waits for a person', () => {
  const byHand = Object.entries(CAN_APPLY).flatMap(([reason, canApply]) => (canApply ? [] : [reason]))
  const patterns = Array.from(rules.matchAll(/reason(?:=~|!~)"([^"]+)"/g), ([, names = '']) => names.split('|'))
  expect(patterns).toHaveLength(3)
  for (const names of patterns) expect(names.toSorted()).toEqual([...byHand, 'implausible'].toSorted())
})

test('every alarm has a test', () => {
  const alarms = sorted(Array.from(rules.matchAll(/- alert: (\w+)/g), ([, name]) => name))
  const tested = sorted(Array.from(ruleTests.matchAll(/alertname: (\w+)/g), ([, name]) => name))
  expect(tested).toEqual(alarms)
  expect(alarms.length).toBeGreaterThan(10)
})
