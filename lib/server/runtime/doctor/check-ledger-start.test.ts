import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { sampleTransactionRecord } from '../../gateway/testing/sample-record.ts'
import { useStores } from '../../store/testing/use-stores.ts'
import { testConfig } from '../testing/config.ts'
import { checkLedgerStart } from './check-ledger-start.ts'
import type { Finding } from './finding.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const DAY = 86_400_000
const OLD = '2026-03-01T00:00:00.000Z'
const stores = useStores('sqlite')

const page = (insertedAt: string): string => {
  const node = sampleTransactionRecord({ inserted_at: insertedAt, to_address: 'address' })
  return JSON.stringify({
    edges: [{ cursor: 'a', inserted_at: insertedAt, node }],
    page_info: { start_cursor: 'a', end_cursor: 'a', has_next_page: false, has_previous_page: true },
    total_count: 7,
  })
}

/** What the doctor finds with a gateway that answers like this. */
async function check(body: string | null, ledgerStart?: string, url = stores.url): Promise<readonly Finding[]> {
  const server = createServer((_request, response) => {
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(body ?? '{"message": "not found"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const config = testConfig({
      DATABASE_URL: url,
      GATEWAY_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...(ledgerStart !== undefined && { LEDGER_START: ledgerStart }),
    })
    return await checkLedgerStart({ config, clock: () => NOW, newNonce: randomUUID })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('older transactions are a note while nobody has chosen the time', async () => {
  const first = await check(page(OLD), undefined, 'file:/nowhere/cashier.db')
  expect(first.map(({ level }) => level)).toEqual(['ok', 'note'])
  expect(first[0]?.message).toContain('before 2026-11-19T12:00:00.000Z is not booked: the first start keeps this time')
  expect(first[1]?.message).toMatch(/the oldest: 2026-03-01T00:00:00.000Z.*Set LEDGER_START before the first start/)
  await stores.one.reconciliation.keepLedgerStart(NOW - 9 * DAY)
  const later = await check(page(OLD))
  expect(later[0]?.message).toMatch(/before 2026-11-11T12:00:00.000Z is not booked$/)
  expect(later[1]?.message).toContain('set LEDGER_START to 2026-11-11T12:00:00.000Z; an earlier time needs a new')
})

test.each([
  ['the time is chosen', page(OLD), '2026-11-11T12:00:00Z'],
  ['nothing is older', page('2026-11-15T00:00:00.000Z'), undefined],
  ['the gateway does not offer the list', null, undefined],
  ['the list has another shape', '[]', undefined],
])('only the time is shown where %s', async (_name, body, ledgerStart) => {
  await stores.one.reconciliation.keepLedgerStart(NOW - 9 * DAY)
  const found = await check(body, ledgerStart)
  expect(found).toEqual([
    {
      about: 'ledger',
      level: 'ok',
      message: 'what the gateway inserted before 2026-11-11T12:00:00.000Z is not booked',
    },
  ])
})

test('another time than the database has is a fault', async () => {
  await stores.one.reconciliation.keepLedgerStart(NOW - 9 * DAY)
  expect(await check(page(OLD), '2026-11-12')).toMatchObject([{ level: 'fault', message: 'the next start is refused' }])
})
