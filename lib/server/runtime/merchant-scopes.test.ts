import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { MERCHANT_SCOPES } from '#lib/contract/merchant-scopes.ts'
import { MERCHANT_CALLS } from '../merchant/openapi/merchant-calls.ts'
import { loadRoutes } from './http/route-table.ts'

const { routes } = await loadRoutes(resolve(import.meta.dirname, '../../../app'))

/** The scope of each method of the merchant API, by the path of the document; undefined where a route names none. */
const scopes = new Map(
  routes
    .filter(({ path }) => path.startsWith('/api/merchant/'))
    .flatMap(({ path, handlers }) =>
      Object.entries(handlers).map(([method, handler]) => {
        const name = `${method} ${path.replaceAll(/\[(\w+)\]/g, '{$1}')}`
        return [name, 'scope' in handler ? handler.scope : undefined] as const
      }),
    ),
)

test('each route of the merchant API names a scope', () => {
  expect(scopes.size).toBeGreaterThan(15)
  for (const [name, scope] of scopes) expect(MERCHANT_SCOPES, name).toContain(scope)
})

test('the document tells the same scopes', () => {
  const described = MERCHANT_CALLS.map(
    ({ method, path, scope }) => [`${method.toUpperCase()} /api/merchant${path}`, scope] as const,
  )
  expect(new Map(described.toSorted())).toEqual(new Map([...scopes].toSorted()))
})

test('each scope opens something', () => {
  expect(new Set(scopes.values())).toEqual(new Set(MERCHANT_SCOPES))
})
