/** The calls that the cashier's page makes over HTTP, with the session's cookie and header, without a browser. */
import type { Balance, TransactionsPage, Withdrawal } from '#lib/contract/cashier.ts'
import { openReader, type OpenReader } from '#lib/server/stream/testing/test-stream.ts'
import type { Session } from '../fixtures/merchant-api.ts'

export interface PageResponse<Body = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

export interface WithdrawalOrder {
  readonly currency_id: string
  readonly amount: string
  readonly wallet_address: string
}

export interface PageClient {
  readonly session: Session
  readonly headers: Readonly<Record<string, string>>
  /** Calls `/api/cashier{path}`; rejects only if there is no response. */
  get<Body = Record<string, unknown>>(path: string): Promise<PageResponse<Body>>
  post<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<PageResponse<Body>>
  withdraw(order: WithdrawalOrder, key?: string): Promise<PageResponse<Withdrawal & { code?: string; detail?: string }>>
  withdrawal(id: string): Promise<Withdrawal>
  /** The balance of one currency; zero when there is none. */
  balance(currencyId: string): Promise<Pick<Balance, 'available' | 'held'>>
  history(query?: string): Promise<TransactionsPage>
  stream(lastEventId?: string): Promise<OpenReader>
  /** The same session on another instance of the cashier. */
  at(url: string): PageClient
}

/** The session cookie that a launch sets. @throws when the launch fails */
export async function launchSession(url: string, session: Session): Promise<string> {
  const response = await requestLaunch(url, session.launch_token)
  const [cookie = ''] = response.headers.getSetCookie()
  if (response.status !== 303) throw new Error(`the launch got status ${response.status}`)
  return cookie.split(';', 1)[0] ?? ''
}

export const requestLaunch = (url: string, token: string): Promise<Response> =>
  fetch(`${url}/launch`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ launch_token: token }) })

async function ask<Body>(url: string, init: RequestInit): Promise<PageResponse<Body>> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as Body }
}

const pageOf = (url: string, session: Session, headers: Readonly<Record<string, string>>): PageClient => {
  const api = `${url}/api/cashier`
  const succeed = async <Body>(answer: Promise<PageResponse<Body>>): Promise<Body> => {
    const { status, body } = await answer
    if (status !== 200) throw new Error(`got status ${status}: ${JSON.stringify(body)}`)
    return body
  }
  const page: PageClient = {
    session,
    headers,
    get: (path) => ask(`${api}${path}`, { headers }),
    post: (path, body, more = {}) =>
      ask(`${api}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...more },
        body: JSON.stringify(body),
      }),
    withdraw: (order, key = crypto.randomUUID()) => page.post('/withdrawals', order, { 'idempotency-key': key }),
    withdrawal: (id) => succeed(page.get<Withdrawal>(`/withdrawals/${id}`)),
    async balance(currencyId) {
      const { balances } = await succeed(page.get<{ balances: Balance[] }>('/balances'))
      const { available, held } = balances.find((one) => one.currency_id === currencyId) ?? {
        available: '0',
        held: '0',
      }
      return { available, held }
    },
    history: (query = '') => succeed(page.get<TransactionsPage>(`/transactions${query}`)),
    stream: (lastEventId) => openReader(`${api}/events?session=${session.session_id}`, lastEventId, headers),
    at: (other) => pageOf(other, session, headers),
  }
  return page
}

/** Launches the session and returns its page's calls. */
export async function openPage(options: {
  readonly url: string
  readonly publicUrl: string
  readonly session: Session
}): Promise<PageClient> {
  const { url, publicUrl, session } = options
  const cookie = await launchSession(url, session)
  return pageOf(url, session, { cookie, origin: publicUrl, 'x-cashier-session': session.session_id })
}
