import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { loadRoutes } from './route-table.ts'

const APP = resolve(import.meta.dirname, '../../../../app')
const table = await loadRoutes(APP)
const nameOf = (path: string): string | undefined => table.match(path)?.route.route

test('the table holds every route file of the tree, with the methods that it exports', () => {
  const files = globSync('**/route.ts', { cwd: APP })
  expect(files.length).toBeGreaterThan(20)
  const inTree = files.map((file) => {
    const text = readFileSync(resolve(APP, file), 'utf8')
    const methods = [...text.matchAll(/^export (?:const|async function) ([A-Z]+)|^ {2}\w+ as ([A-Z]+),$/gm)]
    return [`/${file.replace('/route.ts', '')}`, methods.map(([, direct, renamed]) => direct ?? renamed).sort()]
  })
  const inTable = table.routes.map(({ path, handlers }) => [path, Object.keys(handlers).sort()])
  expect(inTable.sort()).toEqual(inTree.sort())
})

test('each route file has one unique name for all its methods', () => {
  const names = table.routes.map(({ route, handlers }) => {
    for (const one of Object.values(handlers)) expect(one.route).toBe(route)
    return route
  })
  expect(new Set(names).size).toBe(names.length)
})

test.each([
  ['/api/cashier/withdrawals', 'cashier.withdrawals'],
  ['/api/cashier/withdrawals/w1', 'cashier.withdrawal'],
  ['/api/health/live/', 'health.live'],
  ['/launch', 'launch'],
  ['/messages/de', 'messages'],
])('%s is answered by %s', (path, name) => {
  expect(nameOf(path)).toBe(name)
})

test.each([
  '/api',
  '/api/',
  '/api/nothing',
  '/api/cashier/withdrawals/1/2',
  '/api/cashier',
  '/api/merchant/users//balances',
])('%s is an unknown path below /api', (path) => {
  expect(nameOf(path)).toBe('not-found')
})

test.each(['/', '/c/x', '/c/x/deposit', '/embed.js', '/apis', '/launchpad', '/_next/static/x.js'])(
  '%s is not a route',
  (path) => {
    expect(table.match(path)).toBeNull()
  },
)

test('values of a path are decoded; an undecodable value stays unchanged', () => {
  expect(table.match('/api/merchant/users/a%2Db/balances')?.params).toEqual({ user_reference_id: 'a-b' })
  expect(table.match('/api/merchant/sessions/%E0%A4')?.params).toEqual({ session_id: '%E0%A4' })
})
