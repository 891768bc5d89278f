import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { getApp, setApp } from './app.ts'
import { testConfig } from './testing/config.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { warmPages } from './warm-pages.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:' })
})
const log = { warn: vi.fn() }
beforeEach(() => {
  log.warn.mockReset()
  setApp(server.app)
})
afterAll(() => server.stop())

const asked = async (request: IncomingMessage): Promise<unknown> => {
  const { pages } = getApp()
  const [, , id = '', flow] = (request.url ?? '').split('/')
  const found = await pages.session(id, null)
  if (found.state !== 'active') return found
  const [currencies, balances] = [await pages.currencies(found.session), await pages.balances(found.session)]
  const currency = currencies.ok ? currencies.data[0]?.id : undefined
  const address = await pages.depositAddress(found.session, currency ?? '')
  return { flow, same: found.session.id === id, ok: [currencies.ok, balances.ok, address.ok] }
}

test('while it renders, the pages show a sample; afterwards they show what there is', async () => {
  const seen: unknown[] = []
  await warmPages(async (request, response) => {
    seen.push(await asked(request))
    const { status } = await fetch(`http://${request.headers.host ?? ''}/api/health/live`)
    seen.push(status)
    response.end('the page')
  }, log)
  expect(seen).toEqual([{ flow: 'deposit', same: true, ok: [true, true, true] }, 404])
  expect(getApp()).toBe(server.app)
  expect(log.warn).not.toHaveBeenCalled()
})

type Render = (request: IncomingMessage, response: ServerResponse) => unknown
const FAULTS: readonly (readonly [what: string, render: Render])[] = [
  ['an error', (_request, response) => response.writeHead(500).end()],
  ['no answer', (_request, response) => response.destroy()],
  ['a render that throws', () => Promise.reject(new Error('odd'))],
]
test.each(FAULTS)('%s is logged, and the process goes on', async (_what, render) => {
  await warmPages((request, response) => Promise.resolve(render(request, response)).then(() => undefined), log)
  expect(log.warn).toHaveBeenCalledWith(
    { err: expect.any(Error) as unknown },
    'a page could not be rendered in advance',
  )
  expect(getApp()).toBe(server.app)
})
