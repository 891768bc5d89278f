/** The landing page and the search of the console, through their routes. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { exceptionsReply, dayReply, daysReply } from '#lib/contract/operate/exceptions.ts'
import { searchReply } from '#lib/contract/operate/search.ts'
import { sampleQuarantined } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { operatorVisitor, type OperatorVisitor } from './testing/operator-visitor.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { asMerchant } from './testing/visitor.ts'

let server: TestServer
let viewer: OperatorVisitor
beforeAll(async () => {
  server = await startTestServer({ config: testConfig({}), databaseUrl: 'file::memory:' })
  viewer = await operatorVisitor(server, 'viewer')
})
afterAll(() => server.stop())

const PATHS = ['exceptions', 'day', 'days', 'search?q=player', 'events'].map((path) => `/api/operate/${path}`)

test.each(PATHS)('%s is for operators only', async (path) => {
  expect(await problem(await fetch(server.url + path))).toMatchObject({ status: 401 })
})

test('what needs a person, and the numbers of the day in the time zone of the page', async () => {
  await seed(server.store, { quarantine: [sampleQuarantined({ reason: 'implausible' })] })
  const found = exceptionsReply.parse(await (await viewer.call('/api/operate/exceptions')).json())
  expect(found.exceptions).toContainEqual(expect.objectContaining({ kind: 'implausible', count: 1, more: false }))
  const day = dayReply.parse(await (await viewer.call('/api/operate/day?time_zone=Asia/Kathmandu')).json())
  expect([day.time_zone, day.from.slice(11, 16)]).toEqual(['Asia/Kathmandu', '18:15'])
  const days = daysReply.parse(await (await viewer.call('/api/operate/days?time_zone=Asia/Kathmandu')).json())
  expect(days.days.at(-1)).toBe(day.from)
  for (const path of ['day', 'days'])
    for (const zone of ['Nowhere/At_All', 'x'.repeat(65)])
      expect(await problem(await viewer.call(`/api/operate/${path}?time_zone=${zone}`))).toMatchObject({
        code: 'invalid_request',
      })
})

test('the id of the request that created a session leads to it, and that of a refused one to nothing', async () => {
  const create = (body: object) =>
    asMerchant(server, '/api/merchant/sessions', { method: 'POST', body: JSON.stringify(body) })
  const created = await create({ user_reference_id: 'player-7' })
  const { session_id } = (await created.json()) as { session_id: string }
  const refused = await create({ user_reference_id: 'not a reference' })
  const find = async (response: Response) =>
    searchReply.parse(
      await (await viewer.call(`/api/operate/search?q=${response.headers.get('x-request-id') ?? ''}`)).json(),
    )
  expect(await find(created)).toMatchObject({
    groups: [{ kind: 'session', hits: [{ id: session_id, by: 'request', exact: true, status: 'open' }] }],
    go: '/users/player-7',
  })
  expect((await find(refused)).groups).toEqual([])
})

test('each search is in the audit log with its text, and without what it found', async () => {
  await server.store.users.ensure('player-1', 1)
  const other = await operatorVisitor(server, 'viewer')
  const found = searchReply.parse(await (await other.call('/api/operate/search?q=%20player-1')).json())
  expect(found).toMatchObject({ q: 'player-1', go: '/users/player-1' })
  const [entry] = await server.store.audit.page(null, 1)
  expect(entry).toMatchObject({
    operator_name: other.name,
    action: 'search',
    about_kind: 'search',
    about_id: 'player-1',
    user_reference_id: null,
    detail: '{}',
  })
  for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(201)}`, '?q=a&other=b'])
    expect(await problem(await viewer.call(`/api/operate/search${query}`))).toMatchObject({ code: 'invalid_request' })
  expect((await server.store.audit.page(null, 1))[0]?.seq).toBe(entry?.seq)
})

test('the stream tells of changes, and ends when its operator signs out', async () => {
  const other = await operatorVisitor(server, 'viewer')
  const response = await other.call('/api/operate/events')
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = (async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      text += value
    }
  })()
  await vi.waitFor(() => expect(text).toContain('event: ready'))
  await seed(server.store, { quarantine: [sampleQuarantined({ reason: 'conflict' })] })
  await vi.waitFor(() => expect(text).toContain('event: changed'), 6000)
  expect(text).toContain('"quarantine"')
  await other.call('/api/operate/sign-out', { method: 'POST' })
  await read
}, 20_000)
