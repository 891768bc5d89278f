/** `npm run demo -- --troubles`: brings about one of each trouble that needs a person, by the sandbox and real webhooks. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'

export interface TroublesOptions {
  readonly cashierUrl: string
  /** Calls the sandbox's control API. @param path below `/control` */
  readonly control: (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>
  readonly merchantApiKey: string
}

/** Settings of the demo's cashier with which the troubles come about within a minute. */
export const TROUBLES_SETTINGS = {
  WITHDRAWAL_RULES: '{"USDT": {"review_above": "500"}}',
  OVERDUE_S: '15',
  WITHDRAWAL_ABSENCE_S: '3600',
} as const

/** A link that invites an admin to the console of a running cashier with this environment; it works once, for an hour. */
export async function invitationOf(cashier: Readonly<Record<string, string>>): Promise<string> {
  const args = ['--conditions=react-server', 'scripts/operator.ts', 'invite', `Demo ${randomUUID().slice(0, 4)}`]
  const env = { ...process.env, ...cashier, NODE_ENV: 'production' } as const
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--role', 'admin'], { env })
  return /https?:\/\/\S+\/operate\/invitation#\S+/.exec(stdout)?.[0] ?? stdout.trim()
}

const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

interface Currency {
  readonly id: string
  readonly code: string
  readonly network: string
}

async function answerOf<T>(response: Promise<Response>): Promise<T> {
  const answer = await response
  const text = await answer.text()
  if (!answer.ok && answer.status !== 303) throw new Error(`${answer.url} answered ${answer.status}: ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as T
}

const asJson = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Brings the troubles about. Resolves when all are asked for; the overdue ones show a little later. */
export async function seedTroubles({ cashierUrl, control, merchantApiKey }: TroublesOptions): Promise<void> {
  const merchant = <T>(path: string, body: unknown): Promise<T> =>
    answerOf<T>(fetch(`${cashierUrl}/api/merchant${path}`, asJson(body, { authorization: `Bearer ${merchantApiKey}` })))
  const state = (await control('GET', '/state')) as {
    currencies: readonly Currency[]
    merchants: readonly { id: string }[]
  }
  const usdt = state.currencies.find(({ code, network }) => code === 'USDT' && network === 'Tron')
  if (usdt === undefined) throw new Error('the sandbox has no USDT on Tron')
  const merchantReference = state.merchants[0]?.id ?? ''

  /** A user with a session, and money to withdraw. */
  async function signIn(user: string): Promise<(path: string, body: unknown) => Promise<unknown>> {
    const session = await merchant<{ session_id: string; launch_token: string }>('/sessions', {
      user_reference_id: user,
      locale: 'en',
    })
    const form = new URLSearchParams({ launch_token: session.launch_token })
    const launched = await fetch(`${cashierUrl}/launch`, { method: 'POST', redirect: 'manual', body: form })
    const cookie = launched.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    await merchant(`/users/${user}/adjustments`, { currency_id: usdt?.id, amount: '5000', reference: randomUUID() })
    const headers = { cookie, origin: cashierUrl, 'x-cashier-session': session.session_id }
    return (path, body) =>
      answerOf(fetch(`${cashierUrl}/api/cashier${path}`, asJson(body, { ...headers, 'idempotency-key': randomUUID() })))
  }

  const fault = (target: string, kind: string, user: string): Promise<unknown> =>
    control('POST', '/faults', { target, kind, times: 1, match: { user_reference: user } })

  async function withdraw(user: string, amount: string, kind: string | null): Promise<void> {
    const call = await signIn(user)
    if (kind !== null) await fault('withdraw', kind, user)
    await call('/withdrawals', { currency_id: usdt?.id, amount, wallet_address: WALLET })
  }

  /** The event of a deposit, signed by the sandbox; `change` makes it a trouble. */
  function deposit(user: string, change: object = {}, transaction: object = {}, uuid: string = randomUUID()) {
    const event = {
      event: 'User Deposit',
      transaction: {
        id: uuid,
        status: 'succeeded',
        date: `${new Date().toISOString().slice(0, 19)}Z`,
        currency: { id: usdt?.id, currency_code: 'USDT', name: 'Tether USD', symbol: 'USDT', network: 'Tron' },
        amount: 25,
        provider_transaction_id: `p-${uuid}`,
        to_address: WALLET,
        from_address: WALLET,
        tx_hash: uuid.replaceAll('-', '').repeat(2),
        transaction_type: 'Deposit',
        amount_usd: 25,
        ...transaction,
      },
      transaction_uuid: uuid,
      user_reference: user,
      merchant_reference: merchantReference,
      payment_method: 'Deposit',
      ...change,
    }
    return JSON.stringify(event)
  }
  const send = (raw: string, more: object = {}): Promise<unknown> => control('POST', '/webhooks/send', { raw, ...more })

  async function buyTooMuch(user: string): Promise<void> {
    const call = await signIn(user)
    const bought = (await call('/onramp-sessions', {
      currency_id: usdt?.id,
      amount: '50',
      fiat_currency: 'EUR',
      country: 'DE',
    })) as { id: string }
    await control('POST', `/onramp-sessions/${bought.id}/succeeded`, { from_amount: '500' })
  }

  // A payout that no withdrawal of ours has: the first read of the user's list shows it.
  const payout = { type: 'Payout', currency_id: usdt.id, amount: '42', at: new Date().toISOString() }
  await control('POST', '/transactions/seed', { user_reference: 'open-payout', count: 1, ...payout })
  await signIn('open-payout')

  await withdraw('unknown-withdrawal', '120', 'cut_before_commit')
  await withdraw('overdue-withdrawal', '75', 'needs_approval')
  await withdraw('pending-approval', '900', null)
  await buyTooMuch('implausible-purchase')

  const events = await signIn('odd-events').then(() => 'odd-events')
  const hourAgo = String(Math.floor(Date.now() / 1000) - 3600)
  await send(deposit(events), { timestamp: hourAgo })
  await send(deposit(events, { event: 'User Bonus' }))
  await send(deposit(events, {}, { status: 'escrowed' }))
  await send(deposit('nobody-we-know'))
  await send(deposit(events, { merchant_reference: 'another-merchant' }))
  await send('{"event": "User Deposit"}')
  const repeated = randomUUID()
  await send(deposit(events, {}, {}, repeated))
  await send(deposit(events, {}, { amount: 26 }, repeated))
}
