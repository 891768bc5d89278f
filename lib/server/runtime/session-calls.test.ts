/** The required parts of every call of the page, and the order in which missing parts are reported. */
import { expect, test } from 'vitest'
import { CHANGING, NAMES, problem, setUpApi } from './testing/api-harness.ts'
import { newVisitor } from './testing/visitor.ts'

const api = setUpApi()

test.each(NAMES)('%s is answered to our own page, and no cache stores it', async (name) => {
  const response = await api.make(name)
  expect(response.status).toBe(name.includes('request') || name === 'on-ramp session' ? 201 : 200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(api.reached()).toBe(true)
})

test.each(NAMES)('%s is 401 without cookie or header, or with those of another session', async (name) => {
  const other = await newVisitor(api.server)
  const wrong = [
    { cookie: '' },
    { 'x-cashier-session': '' },
    { 'x-cashier-session': other.id },
    { cookie: other.cookie },
    { cookie: `__Host-cashier-${api.visitor.id}=forged` },
    { 'x-cashier-session': `${api.visitor.id}; x=y` },
    { 'x-cashier-session': '', cookie: '', origin: 'https://evil.example' },
  ]
  for (const headers of wrong) {
    const response = await api.make(name, headers)
    expect(response.status).toBe(401)
    expect(await problem(response)).toMatchObject({ code: 'unauthenticated' })
  }
  expect(api.reached()).toBe(false)
})

const OURS = 'https://cashier.example'
const ORIGINS = [OURS, 'https://shop.example', 'https://evil.example', 'http://cashier.example', 'null', ''] as const
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', ''] as const

test.each(NAMES.flatMap((name) => ORIGINS.map((origin) => [name, origin] as const)))(
  '%s from origin "%s", with any Fetch Metadata',
  async (name, origin) => {
    for (const site of SITES) {
      const response = await api.make(name, { origin, 'sec-fetch-site': site })
      const own = site === 'same-origin' || site === ''
      const passes = CHANGING.includes(name)
        ? origin === OURS && own
        : (origin === OURS || origin === '') && (own || site === 'none')
      expect([site, response.status < 300]).toEqual([site, passes])
      if (!passes) {
        expect(response.status).toBe(403)
        expect(await problem(response)).toMatchObject({ code: 'forbidden_origin' })
      }
    }
  },
)

test('a flow that the session does not have is 403; reads need no flow', async () => {
  const historian = await newVisitor(api.server, { flows: ['history'] })
  for (const name of NAMES) {
    const response = await api.make(name, {}, historian)
    if (!CHANGING.includes(name)) expect(response.status).toBe(200)
    else expect(await problem(response)).toMatchObject({ status: 403, code: 'flow_not_allowed' })
  }
  const depositor = await newVisitor(api.server, { flows: ['deposit'] })
  expect((await api.make('deposit address', {}, depositor)).status).toBe(200)
  expect((await api.make('withdrawal request', {}, depositor)).status).toBe(403)
  expect((await api.make('on-ramp session', {}, depositor)).status).toBe(403)
})

test('the flow is checked before the body', async () => {
  const historian = await newVisitor(api.server, { flows: ['history'] })
  const response = await historian.call('/api/cashier/withdrawals', { method: 'POST', body: 'nonsense' })
  expect(response.status).toBe(403)
})
