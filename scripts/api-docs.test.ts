import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  CASHIER_STATUSES,
  currenciesSchema,
  problemSchema,
  WITHDRAWAL_STATUSES,
  withdrawalSchema,
} from '#lib/contract/cashier.ts'
import { PROBLEM_STATUS } from '#lib/contract/problems.ts'
import { onrampSessionRequest, withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { adjustmentRequest, createSessionRequest } from '#lib/contract/merchant-requests.ts'
import { transactionEventSchema } from '#lib/contract/stream.ts'
import { variables } from '#lib/server/runtime/config/variables.ts'
import { RATE_LIMITS } from '#lib/server/runtime/http/rate-limits.ts'
import { exampleUnder, namesIn, rowsUnder } from './read-markdown.ts'

const api = readFileSync('docs/explanation/money.md', 'utf8')

/** The first column of a section's tables: every name in backticks. */
const namesUnder = (heading: string): readonly string[] =>
  rowsUnder(api, heading).flatMap(([first = '']) => namesIn(first))

/** What stands in the table's column "default" for one variable. */
function defaultOf(schema: z.ZodType): string {
  const { def } = schema as unknown as { readonly def: { readonly type: string; readonly defaultValue?: unknown } }
  if (def.type === 'prefault' && def.defaultValue !== '') return `\`${String(def.defaultValue)}\``
  return def.type === 'prefault' || def.type === 'optional' ? 'none' : 'required'
}

test('the environment table has every variable with its default, and no others', () => {
  const documented = rowsUnder(api, 'Environment').map(([name = '', , value = '']) => [
    namesIn(name).join(),
    value.startsWith('none') ? 'none' : value,
  ])
  const shape: Readonly<Record<string, z.ZodType>> = variables(() => '').shape
  const read = Object.entries(shape).map(([name, schema]) => [name, defaultOf(schema)])
  expect(documented.toSorted()).toEqual(read.toSorted())
})

test('the problem codes and their statuses are those of the code', () => {
  const documented = rowsUnder(api, 'Problem codes').map(([code = '', status = '']) => [
    namesIn(code)[0],
    Number(status),
  ])
  expect(Object.fromEntries(documented)).toEqual(PROBLEM_STATUS)
})

test('the statuses of a withdrawal and of a row of the history are those of the code', () => {
  expect(namesUnder('Withdrawal statuses').toSorted()).toEqual(WITHDRAWAL_STATUSES.toSorted())
  expect(namesUnder('Cashier status').toSorted()).toEqual(CASHIER_STATUSES.toSorted())
})

/** Reasons stand as a type, so they are read from the source. */
function quarantineReasons(): readonly string[] {
  const sources = globSync('lib/server/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
  const declared = sources.flatMap((source) => {
    const [, union = ''] =
      /\b(?:type QuarantineReason|QUARANTINE_REASONS)\b[^=]*=([\s\S]*?)\n(?=\n|export|const|\/\*\*)/.exec(source) ?? []
    return Array.from(union.matchAll(/'(\w+)'/g), ([, reason = '']) => reason)
  })
  const written = sources.flatMap((source) =>
    Array.from(source.matchAll(/\.quarantine\(\{\s*reason: '(\w+)'/g), ([, reason = '']) => reason),
  )
  return [...new Set([...declared, ...written])]
}

test('the quarantine reasons are those of the code', () => {
  expect(namesUnder('Quarantine reasons').toSorted()).toEqual(quarantineReasons().toSorted())
})

/** Route files by the path that they answer. The one for all that nobody else answers has no path of its own. */
const routeFiles = new Map(
  globSync('app/**/route.ts')
    .filter((file) => !file.includes('[['))
    .map((file) => [
      `/${file
        .replaceAll('\\', '/')
        .replace(/^app\//, '')
        .replace(/\/?route\.ts$/, '')}`.replaceAll(/\[(\w+)\]/g, '{$1}'),
      readFileSync(file, 'utf8'),
    ]),
)

const documentedRoutes = new Map(
  rowsUnder(api, 'Routes').map(([methods = '', path = '']) => [namesIn(path)[0] ?? '', methods.split(', ').toSorted()]),
)

test('every route file is in the table of routes, and the table has no others', () => {
  expect([...documentedRoutes.keys()].toSorted()).toEqual([...routeFiles.keys()].toSorted())
  expect(routeFiles.size).toBeGreaterThan(15)
})

test('each route has the methods that its file exports', () => {
  for (const [path, source] of routeFiles) {
    const exported = Array.from(
      source.matchAll(/^export (?:const|async function|function) (GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/gm),
      ([, method = '']) => method,
    )
    expect([path, exported.toSorted()]).toEqual([path, documentedRoutes.get(path)])
  }
})

test('the examples of answers are read by the schemas that the page reads answers with', () => {
  problemSchema.parse(exampleUnder(api, 'Answers'))
  currenciesSchema.parse(exampleUnder(api, 'Currencies'))
  const withdrawal = withdrawalSchema.parse(exampleUnder(api, 'Withdrawal object'))
  expect(withdrawal).toEqual(exampleUnder(api, 'Withdrawal object'))
  const feed = exampleUnder(api, 'Events feed') as { events: { data: unknown }[] }
  expect(transactionEventSchema.parse(feed.events[0]?.data)).toMatchObject({ kind: 'deposit' })
})

test('the examples of requests are read by the schemas that the server reads requests with', () => {
  const session = createSessionRequest([])
  for (const [heading, schema] of [
    ['Sessions', session],
    ['Adjustments', adjustmentRequest],
    ['Withdrawal requests', withdrawalRequest],
    ['On-ramp sessions', onrampSessionRequest],
  ] as const) {
    const example = exampleUnder(api, heading)
    expect([heading, schema.safeParse(example).data]).toEqual([heading, example])
  }
})

test('the fields of a session are those of its schema', () => {
  const { shape } = createSessionRequest([])._zod.def.out._zod.def
  expect(namesUnder('Sessions').toSorted()).toEqual(Object.keys(shape).toSorted())
})

test('the rate limits are those of the code', () => {
  const documented = rowsUnder(api, 'Rate limits').map(([, aMinute = '']) => Number(aMinute))
  expect(documented.toSorted()).toEqual(Object.values(RATE_LIMITS).toSorted())
})
