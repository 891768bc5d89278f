import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  CASHIER_STATUSES,
  currenciesSchema,
  problemSchema,
  WITHDRAWAL_STATUSES,
  withdrawalSchema,
} from '#lib/contract/cashier.ts'
import { onrampSessionRequest, withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { MERCHANT_CALLS } from '#lib/server/merchant/openapi/merchant-calls.ts'
import { CAN_APPLY } from '#lib/server/merchant/quarantine-reasons.ts'
import { exampleUnder, namesIn, rowsUnder } from './read-markdown.ts'

const money = readFileSync('docs/explanation/money.md', 'utf8')
const pageApi = readFileSync('docs/explanation/page-api.md', 'utf8')

/** The first column of a section's tables: every name in backticks. */
const namesUnder = (text: string, heading: string): readonly string[] =>
  rowsUnder(text, heading).flatMap(([first = '']) => namesIn(first))

test('the statuses of a withdrawal and of a row of the history are those of the code', () => {
  expect(namesUnder(money, 'Withdrawal statuses').toSorted()).toEqual(WITHDRAWAL_STATUSES.toSorted())
  expect(namesUnder(pageApi, 'Cashier status').toSorted()).toEqual(CASHIER_STATUSES.toSorted())
})

test('the quarantine reasons are those of the code', () => {
  expect(namesUnder(money, 'Quarantine reasons').toSorted()).toEqual(Object.keys(CAN_APPLY).toSorted())
})

/** The calls of the console's own page are nobody else's. */
const OF_THE_CONSOLE = /^app.api.(?:operate|delivery-view)\b/

/** Route files by the path that they answer, without the catch-all route. */
const routeFiles = new Map(
  globSync('app/**/route.ts')
    .filter((file) => !file.includes('[[') && !OF_THE_CONSOLE.test(file))
    .map((file) => [
      `/${file
        .replaceAll('\\', '/')
        .replace(/^app\//, '')
        .replace(/\/?route\.ts$/, '')}`.replaceAll(/\[(\w+)\]/g, '{$1}'),
      readFileSync(file, 'utf8'),
    ]),
)

/** The routes in the list of the page API, and those of the merchant API, whose page is generated. */
const documentedRoutes = Map.groupBy(
  [
    ...rowsUnder(pageApi, 'Routes').flatMap(([name = '']) =>
      (name.split(' `')[0] ?? '').split(', ').map((method) => [namesIn(name)[0] ?? '', method] as const),
    ),
    ...MERCHANT_CALLS.map(({ path, method }) => [`/api/merchant${path}`, method.toUpperCase()] as const),
  ],
  ([path]) => path,
)

test('the documented routes are the route files', () => {
  expect([...documentedRoutes.keys()].toSorted()).toEqual([...routeFiles.keys()].toSorted())
  expect(routeFiles.size).toBeGreaterThan(15)
})

test('each route has the methods that its file exports', () => {
  for (const [path, source] of routeFiles) {
    const exported = Array.from(
      source.matchAll(/^export (?:const|async function|function) (GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/gm),
      ([, method = '']) => method,
    )
    const documented = documentedRoutes.get(path)?.map(([, method]) => method)
    expect([path, exported.toSorted()]).toEqual([path, documented?.toSorted()])
  }
})

test('the schemas of the page accept the examples of answers', () => {
  problemSchema.parse(exampleUnder(readFileSync('docs/reference/problem-codes.md', 'utf8'), 'Problem codes'))
  currenciesSchema.parse(exampleUnder(pageApi, 'Currencies'))
  const withdrawal = withdrawalSchema.parse(exampleUnder(pageApi, 'Withdrawal object'))
  expect(withdrawal).toEqual(exampleUnder(pageApi, 'Withdrawal object'))
})

test('the schemas of the server accept the examples of requests', () => {
  for (const [heading, schema] of [
    ['Withdrawal requests', withdrawalRequest],
    ['On-ramp sessions', onrampSessionRequest],
  ] as const) {
    const example = exampleUnder(pageApi, heading)
    expect([heading, schema.safeParse(example).data]).toEqual([heading, example])
  }
})
