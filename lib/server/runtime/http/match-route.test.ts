import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { HOT_ROUTES, ROUTE_NAMES, ROUTE_PATHS } from '../route-names.ts'
import { matchRoute, pathValues } from './match-route.ts'

test.each(Object.entries(ROUTE_PATHS).filter(([name]) => name !== 'not-found'))('%s answers %s', (name, path) => {
  expect(matchRoute(path.replaceAll(/:\w+/g, 'x'))).toBe(name)
})

test.each([
  '/api',
  '/api/',
  '/api/nothing',
  '/api/cashier/withdrawals/1/2',
  '/api/cashier',
  '/api/merchant/users//balances',
])('%s is below /api, and nothing', (path) => {
  expect(matchRoute(path)).toBe('not-found')
})

test.each(['/', '/c/x', '/c/x/deposit', '/embed.js', '/apis', '/launchpad', '/_next/static/x.js'])(
  '%s is not ours',
  (path) => {
    expect(matchRoute(path)).toBeNull()
  },
)

test('values of a path are decoded; what cannot be stays', () => {
  expect(pathValues('merchant.balances', '/api/merchant/users/a%2Db/balances')).toEqual({ user_reference_id: 'a-b' })
  expect(pathValues('merchant.session', '/api/merchant/sessions/%E0%A4')).toEqual({ session_id: '%E0%A4' })
})

test("every route but the hot ones has a route file of Next's at its path, and each forwards to its own name", () => {
  const app = fileURLToPath(new URL('../../../../app', import.meta.url))
  const forwarded = globSync('**/route.ts', { cwd: app }).flatMap((file) => {
    const name = /forward\('([^']+)'\)/.exec(readFileSync(`${app}/${file}`, 'utf8'))?.[1]
    if (name === undefined) return []
    const path = `/${file.replace(/\/?route\.ts$/, '')}`.replace('[[...path]]', '*').replaceAll(/\[(\w+)\]/g, ':$1')
    return [[name, path] as const]
  })
  const expected = ROUTE_NAMES.filter((name) => !(HOT_ROUTES as readonly string[]).includes(name))
  expect(Object.fromEntries(forwarded)).toEqual(Object.fromEntries(expected.map((name) => [name, ROUTE_PATHS[name]])))
})
