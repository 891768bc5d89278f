/** The lists of the console, and the views of them that operators save. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MOST_VIEWS, type SavedView } from '#lib/contract/operate/views.ts'
import { sampleTransaction } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { operatorVisitor, type OperatorVisitor } from './testing/operator-visitor.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

let server: TestServer
let viewer: OperatorVisitor
beforeAll(async () => {
  server = await startTestServer({ config: testConfig({}), databaseUrl: 'file::memory:' })
  viewer = await operatorVisitor(server, 'viewer')
  await seed(server.store, {
    transactions: ['a', 'b', 'c'].map((uuid, index) =>
      sampleTransaction({ transaction_uuid: uuid, created_ms: 1000 + index, from_address: '=1+1', tx_hash_key: null }),
    ),
  })
})
afterAll(() => server.stop())

interface Page {
  readonly rows: readonly { readonly transaction_uuid: string }[]
  readonly next: string
}
const pageOf = async (query: string): Promise<Page> =>
  (await (await viewer.call(`/api/operate/lists/transactions${query}`)).json()) as Page

test('a viewer reads a list a page at a time', async () => {
  const first = await pageOf('?limit=2&status=&show=')
  expect(first.rows.map((row) => row.transaction_uuid)).toEqual(['c', 'b'])
  const second = await pageOf(`?limit=2&cursor=${first.next}`)
  expect(second).toMatchObject({ rows: [{ transaction_uuid: 'a' }], next: null, searched_to: null })
})

test('nobody else does, and a wrong query is told', async () => {
  for (const path of ['transactions', 'transactions/rows.csv'])
    expect((await fetch(`${server.url}/api/operate/lists/${path}`)).status).toBe(401)
  expect((await viewer.call('/api/operate/lists/users')).status).toBe(404)
  expect((await viewer.call('/api/operate/lists/constructor')).status).toBe(404)
  const wrong = await problem(await viewer.call('/api/operate/lists/transactions?statu=failed&kind=gift'))
  expect(wrong).toMatchObject({ status: 422, errors: { statu: [expect.stringContaining('known: show, kind')] } })
  const fault = await problem(await viewer.call('/api/operate/lists/transactions?kind=gift&cursor=x'))
  expect(fault).toMatchObject({ status: 422, errors: { kind: [expect.stringContaining('deposit, payout, onramp')] } })
})

test('who looks at one user, or takes a file, is noted', async () => {
  await pageOf('?user=u')
  const file = await viewer.call('/api/operate/lists/transactions/rows.csv?user=u&limit=1')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
  const lines = (await file.text()).trimEnd().split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toContain('"\'=1+1"')
  expect(await server.store.audit.page(null, 2)).toMatchObject([
    { action: 'list.export', operator_name: viewer.name, about_id: 'transactions', user_reference_id: 'u' },
    { action: 'list.open', operator_name: viewer.name, about_id: 'transactions', user_reference_id: 'u' },
  ])
})

const save = (who: OperatorVisitor, name: string, list = 'payouts'): Promise<Response> =>
  who.call('/api/operate/views', { method: 'POST', body: { list, name, query: 'show=attention&sort=first_seen_at' } })
const viewsOf = async (who: OperatorVisitor): Promise<readonly SavedView[]> =>
  ((await (await who.call('/api/operate/views')).json()) as { views: SavedView[] }).views

test('a view is saved, renamed, changed and deleted by its operator alone', async () => {
  const [ada, bob] = [await operatorVisitor(server, 'viewer'), await operatorVisitor(server, 'admin')]
  const answer = await save(ada, 'Nobody’s')
  expect(answer.status).toBe(201)
  const view = (await answer.json()) as SavedView
  expect(await viewsOf(ada)).toEqual([view])
  expect(await viewsOf(bob)).toEqual([])
  expect(await problem(await save(ada, 'Nobody’s'))).toMatchObject({ code: 'conflict' })
  expect((await save(ada, 'Nobody’s', 'audit')).status).toBe(201)
  expect((await save(ada, 'Other')).status).toBe(201)

  const path = `/api/operate/views/${view.id}`
  const change = (who: OperatorVisitor, body: unknown) => who.call(path, { method: 'PUT', body })
  expect(await (await change(ada, { name: 'Open' })).json()).toEqual({ ...view, name: 'Open' })
  expect(await (await change(ada, { query: '' })).json()).toEqual({ ...view, name: 'Open', query: '' })
  expect(await problem(await change(ada, { name: 'Other' }))).toMatchObject({ code: 'conflict' })
  expect(await problem(await change(ada, { name: ' ' }))).toMatchObject({ code: 'invalid_request' })
  expect((await change(bob, { name: 'Mine' })).status).toBe(404)
  expect((await bob.call(path, { method: 'DELETE' })).status).toBe(404)
  const foreign = await ada.call(path, { method: 'DELETE', headers: { origin: 'https://evil.example' } })
  expect(await problem(foreign)).toMatchObject({ code: 'forbidden_origin' })
  expect((await ada.call(path, { method: 'DELETE' })).status).toBe(204)
  expect((await viewsOf(ada)).map(({ name }) => name)).toEqual(['Nobody’s', 'Other'])
})

test('an operator has at most so many views', async () => {
  const ada = await operatorVisitor(server, 'agent')
  for (let n = 0; n < MOST_VIEWS; n += 1) expect((await save(ada, `View ${String(n)}`)).status).toBe(201)
  const refused = await problem(await save(ada, 'One more'))
  expect(refused).toMatchObject({ code: 'conflict', detail: expect.stringContaining('Delete one') as string })
})
