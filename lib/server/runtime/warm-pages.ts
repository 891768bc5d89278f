/** Renders a page before anybody asks for one: the first render of a process takes ten times as long as others. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FLOWS, type Currency } from '#lib/contract/cashier.ts'
import type { CashierSession } from '../store/types.ts'
import { getApp, setApp, type Pages, type PageSettings } from './app.ts'
import type { Log } from './log.ts'

/** A start waits no longer. */
const LONGEST_MS = 10_000

const CURRENCY: Currency = {
  id: '22222222-2222-4222-8222-222222222222',
  name: 'Bitcoin',
  currency_code: 'BTC',
  symbol: 'BTC',
  network: 'Bitcoin',
}
const { id: currency_id, currency_code, network } = CURRENCY

const sampleSession = (id: string, now: number): CashierSession => ({
  id,
  user_reference_id: 'sample',
  flows: FLOWS,
  locale: 'en',
  theme: null,
  tokens: null,
  support_url: null,
  country: null,
  currency_ids: null,
  return_url: null,
  account_label: null,
  merchant_name: null,
  metadata: null,
  own_wallet: false,
  time_zone: null,
  created_ms: now,
  last_used_ms: now,
})

/** A user with one currency and no transactions, who exists in no database. */
function samplePages(session: CashierSession, settings: PageSettings): Pages {
  const loaded = <T>(data: T) => Promise.resolve({ ok: true as const, data })
  return {
    session: () => Promise.resolve({ state: 'active', session }),
    currencies: () => loaded([CURRENCY]),
    balances: () => loaded([{ currency_id, currency_code, network, available: '1.5', held: '0' }]),
    depositAddress: () =>
      loaded({ address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', currency: currency_code, network }),
    prepareDepositAddress: () => undefined,
    transactions: () =>
      loaded({
        edges: [],
        page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
        total_count: 0,
      }),
    prepareTransactions: () => undefined,
    streamHead: () => Promise.resolve('0'),
    settings,
  }
}

/**
 * Call it before the port is open: meanwhile the pages show a sample. A fault is logged, and the process goes on.
 * @param render Next
 */
export async function warmPages(
  render: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const app = getApp()
  const session = sampleSession(randomUUID(), Date.now())
  const path = `/c/${session.id}/deposit`
  // Nobody else knows the path. Next would answer any other without the limits and headers of our own server.
  const server = createServer((request, response) => {
    if (request.url === path) render(request, response).catch((error: unknown) => response.destroy(error as Error))
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  setApp({ ...app, pages: samplePages(session, app.pages.settings) })
  try {
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(LONGEST_MS) })
    if (!response.ok) throw new Error(`the page answered ${response.status}`)
    await response.text()
  } catch (err) {
    log.warn({ err }, 'a page could not be rendered in advance')
  } finally {
    setApp(app)
    server.close()
    server.closeAllConnections()
  }
}
