import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { validate as validateByHyperjump } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { FIELDS } from '#lib/server/merchant/openapi/fields.ts'
import { MERCHANT_CALLS } from '#lib/server/merchant/openapi/merchant-calls.ts'
import { OUTBOUND_CALLS } from '#lib/server/merchant/openapi/outbound-calls.ts'
import { EVENT_STATUSES } from '#lib/contract/merchant-replies.ts'
import { loadRoutes } from '#lib/server/runtime/http/route-table.ts'
import { referenceFiles } from './reference-files.ts'
import { openApiValidator, readDocument } from './openapi-validators.ts'

const document = readDocument()
const validator = openApiValidator(document)

test('the generated files are up to date; `npm run reference` writes them', async () => {
  for (const [path, text] of await referenceFiles()) expect(readFileSync(path, 'utf8'), path).toBe(text)
})

test('the document has every route of the merchant API with its methods, and no others', async () => {
  const { routes } = await loadRoutes(resolve('app'))
  const inCode = routes
    .filter(({ path }) => path.startsWith('/api/merchant/'))
    .map(({ path, handlers }) => [path.replaceAll(/\[(\w+)\]/g, '{$1}'), Object.keys(handlers).sort()])
  const paths = document['paths'] as Readonly<Record<string, object>>
  const described = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.keys(methods)
      .map((method) => method.toUpperCase())
      .sort(),
  ])
  expect(described.sort()).toEqual(inCode.sort())
  expect(described.length).toBeGreaterThan(10)
})

test('two independent validators accept the document, and refuse a broken one', async () => {
  const serious = async (value: Record<string, unknown>) =>
    (await new Validator().validate(structuredClone(value))).valid
  const hyperjump = async (value: object) =>
    (await validateByHyperjump('https://spec.openapis.org/oas/3.1/schema-base', value as never)).valid
  expect(await serious(document)).toBe(true)
  expect(await hyperjump(document)).toBe(true)
  const broken = { ...document, paths: { '/x': { get: { responses: 5 } } } }
  expect(await serious(broken)).toBe(false)
  expect(await hyperjump(broken)).toBe(false)
})

test('every example matches its schema', () => {
  const schemaOf = (content: unknown): string =>
    (content as Record<string, { schema: { $ref: string } }>)['application/json']?.schema.$ref ?? ''
  const paths = document['paths'] as Record<string, Record<string, Record<string, never>>>
  let examples = 0
  for (const one of MERCHANT_CALLS) {
    const path = `/api/merchant${one.path}`
    const described = paths[path]?.[one.method]
    if (one.body) {
      const { content } = described?.['requestBody'] as unknown as { content: unknown }
      expect(validator.at(schemaOf(content), one.body.example), `${one.id}: body`).toEqual([])
      examples += 1
    }
    for (const { status, example, csv } of one.replies) {
      const type = csv === undefined ? 'application/json' : 'text/csv'
      expect(validator.answer({ method: one.method, path, status, type }, csv ?? example), one.id).toEqual([])
      examples += 1
    }
  }
  const webhooks = document['webhooks'] as Record<string, { post: { requestBody: { content: unknown } } }>
  for (const call of OUTBOUND_CALLS) {
    const reference = schemaOf(webhooks[call.name]?.post.requestBody.content)
    for (const [name, { value }] of Object.entries(call.examples)) {
      expect(validator.at(reference, value), name).toEqual([])
      examples += 1
    }
  }
  expect(examples).toBeGreaterThan(35)
})

test('a description for one schema or one operation is used there', () => {
  const operations = MERCHANT_CALLS.map(({ id, method, path }) => [id, [`/api/merchant${path}`, method]] as const)
  const paths = document['paths'] as Record<string, Record<string, unknown>>
  const { schemas } = document['components'] as { schemas: Record<string, unknown> }
  const own = Object.entries(FIELDS).filter(([name]) => name.includes('.'))
  for (const [name, { description }] of own) {
    const owner = name.split('.')[0] ?? ''
    const [path, method] = new Map(operations).get(owner) ?? []
    const place = path === undefined || method === undefined ? schemas[owner] : paths[path]?.[method]
    expect(JSON.stringify(place), name).toContain(JSON.stringify(description))
  }
  expect(own.length).toBeGreaterThan(10)
})

test('an answer to an authorization may have a message that the cashier truncates', () => {
  const answer = { decision: 'decline', user_message: 'x'.repeat(501) }
  expect(validator.at('#/components/schemas/AuthorizationReply', answer)).toEqual([])
})

test('there is an example of each kind and status', () => {
  const [updated] = OUTBOUND_CALLS
  const expected = Object.entries(EVENT_STATUSES).flatMap(([kind, statuses]) => statuses.map((one) => `${kind}_${one}`))
  expect(Object.keys(updated?.examples ?? {}).sort()).toEqual(expected.sort())
})

test('a reply with a missing or an undocumented field is found', () => {
  const at = { method: 'GET', path: '/api/merchant/events', status: 200, type: 'application/json' }
  expect(validator.answer(at, { events: [], next_cursor: '0' })).toEqual([])
  expect(validator.answer(at, { events: [] })).toHaveLength(1)
  expect(validator.answer(at, { events: [], next_cursor: '0', more: 1 })).toHaveLength(1)
  expect(validator.answer({ ...at, status: 299 }, {})).toHaveLength(1)
})
