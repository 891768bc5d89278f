/**
 * `npm run demo -- --troubles`: brings about one of each trouble that needs a person, by the sandbox and signed
 * webhooks.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ExceptionKind } from '#lib/contract/operate/exceptions.ts'

export interface TroublesOptions {
  readonly cashierUrl: string
  /** The SQLite file of the cashier's database. */
  readonly databaseFile: string
  /** Users whose events the merchant's webhook refuses. */
  readonly refused: Set<string>
  /** Calls the sandbox's control API. @param path below `/control` */
  readonly control: (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>
  readonly merchantApiKey: string
}

/** Settings of the demo's cashier with which the troubles come about within a minute. */
export const TROUBLES_SETTINGS = {
  WITHDRAWAL_RULES: '{"USDT": {"review_above": "500"}}',
  OVERDUE_S: '10',
  WITHDRAWAL_ABSENCE_S: '3600',
} as const

/** What `npm run demo -- --troubles` does not show, and why. */
export const NOT_SEEDED: Readonly<Partial<Record<ExceptionKind, string>>> = {
  gateway_refuses: 'the next good call ends it',
  gateway_down: 'the next good call ends it',
  users_unchecked: 'only a restored database has it',
  lost_commits: 'only a restored database has it',
  foreign_record: 'the sandbox keeps its users apart',
  webhooks_silent: 'it shows ten minutes later',
}

/**
 * A link that invites an admin to the console of a running cashier with this environment; it works once, for an hour.
 */
export async function invitationOf(cashier: Readonly<Record<string, string>>): Promise<string> {
  const args = [
    '--conditions=react-server',
    join(import.meta.dirname, 'operator.ts'),
    'invite',
    `Demo ${randomUUID().slice(0, 4)}`,
  ]
  const env = { ...process.env, ...cashier, NODE_ENV: 'production' } as const
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--role', 'admin'], { env })
  return /https?:\/\/\S+\/operate\/invitation#\S+/.exec(stdout)?.[0] ?? stdout.trim()
}

/** Users whose events the merchant's webhook refuses. */
const DEAD_DELIVERY = 'dead-delivery'
const FAILING_DELIVERY = 'failing-delivery'

const PAYOUT = { event: 'User Payout', payment_method: 'Payout' } as const
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

const DELIVERY_ENDS_MS = 72 * 3_600_000

/**
 * Resolves when the first delivery about the user is given up. That takes three days, so its first attempt is made
 * three days older, past the cashier, and the next one is made due.
 */
async function giveUpDelivery(databaseFile: string, user: string): Promise<void> {
  const database = new DatabaseSync(databaseFile, { timeout: 5000 })
  const earlier = (column: string): string => `${column} = ${column} - ${String(DELIVERY_ENDS_MS)}`
  try {
    const first = database.prepare(`select d.cursor, d.state, d.first_ms
      from deliveries d join merchant_events e on e.cursor = d.cursor
      where json_extract(e.data, '$.user_reference_id') = ? order by d.cursor limit 1`)
    const end = database.prepare(
      `update deliveries set ${earlier('first_ms')}, next_ms = 0 where cursor = ? and attempts > 0 and claim is null`,
    )
    for (let tries = 0; tries < 600; tries += 1) {
      const delivery = first.get(user) as { cursor: number; state: string; first_ms: number | null } | undefined
      if (delivery?.state === 'dead') {
        for (const statement of [
          `update delivery_attempts set ${earlier('began_ms')}, ${earlier('ended_ms')} where attempt = 1 and cursor = ?`,
          `update merchant_events set ${earlier('created_ms')} where cursor = ?`,
        ])
          database.prepare(statement).run(delivery.cursor)
        return
      }
      if (delivery !== undefined && Date.now() - (delivery.first_ms ?? 0) < DELIVERY_ENDS_MS) end.run(delivery.cursor)
      await sleep(100)
    }
    throw new Error('no delivery was given up')
  } finally {
    database.close()
  }
}

/**
 * Brings the troubles about, unless an earlier run has. Resolves when all are asked for; the overdue ones show a little
 * later, and in ten minutes the silence of the webhooks. Returns whether they are new.
 */
export async function seedTroubles(options: TroublesOptions): Promise<boolean> {
  const { cashierUrl, control, databaseFile, merchantApiKey, refused } = options
  for (const user of [DEAD_DELIVERY, FAILING_DELIVERY]) refused.add(user)
  const authorization = `Bearer ${merchantApiKey}`
  const merchant = <T>(path: string, body: unknown): Promise<T> =>
    answerOf<T>(fetch(`${cashierUrl}/api/merchant${path}`, asJson(body, { authorization })))
  const quarantined = await answerOf<{ items: readonly unknown[] }>(
    fetch(`${cashierUrl}/api/merchant/quarantine?limit=1`, { headers: { authorization } }),
  )
  if (quarantined.items.length > 0) {
    refused.delete(DEAD_DELIVERY)
    return false
  }
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

  const fault = (target: string, kind: string, match: object, times = 1): Promise<unknown> =>
    control('POST', '/faults', { target, kind, times, match })

  async function withdraw(user: string, amount: string, kind: string | null): Promise<void> {
    const call = await signIn(user)
    if (kind !== null) await fault('withdraw', kind, { user_reference: user })
    await call('/withdrawals', { currency_id: usdt?.id, amount, wallet_address: WALLET }).catch((error: unknown) => {
      // The gateway's refusal belongs to this trouble.
      if (kind !== 'refuse') throw error
    })
  }

  /** A deposit on the sandbox's chain, with its events. */
  async function pay(user: string, amount: string): Promise<string> {
    const deposit = { user_reference: user, currency_id: usdt?.id, amount, confirm: true }
    const { transaction } = (await control('POST', '/deposits', deposit)) as {
      transaction: { transaction_uuid: string }
    }
    return transaction.transaction_uuid
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

  /** Resolves when no webhook about the user waits any more. */
  async function sent(user: string): Promise<void> {
    for (;;) {
      const path = `/webhooks?user_reference=${user}&state=queued`
      const { webhooks } = (await control('GET', path)) as { webhooks: readonly unknown[] }
      if (webhooks.length === 0) return
      await sleep(50)
    }
  }

  /** The newest event that the sandbox has made for the transaction, whether it was sent or not. */
  async function lastEvent(uuid: string): Promise<string> {
    const { webhooks } = (await control('GET', `/webhooks?transaction_uuid=${uuid}`)) as {
      webhooks: readonly { body: string }[]
    }
    return webhooks[0]?.body ?? ''
  }

  /** A purchase for 50 EUR that is delivered; `details` make it a trouble. Returns the sandbox's session. */
  async function buy(user: string, details: object = {}): Promise<string> {
    const call = await signIn(user)
    const order = { currency_id: usdt?.id, amount: '50', fiat_currency: 'EUR', country: 'DE' }
    const { id } = (await call('/onramp-sessions', order)) as { id: string }
    const { session } = (await control('POST', `/onramp-sessions/${id}/succeeded`, details)) as {
      session: { uuid: string }
    }
    return session.uuid
  }

  // A payout that no withdrawal of ours has, beside one that may be its: the first read of the user's list shows it.
  const payout = { type: 'Payout', currency_id: usdt.id, amount: '42', at: new Date().toISOString() }
  await control('POST', '/transactions/seed', { user_reference: 'open-payout', count: 1, ...payout })
  await withdraw('open-payout', '42.5', 'cut_before_commit')

  // Deliveries that the merchant refuses. The first needs some seconds to be given up.
  for (const user of [DEAD_DELIVERY, FAILING_DELIVERY]) {
    await signIn(user)
    await pay(user, '30')
  }

  await withdraw('unknown-withdrawal', '120', 'cut_before_commit')
  await withdraw('overdue-withdrawal', '75', 'needs_approval')
  await withdraw('pending-approval', '900', null)
  await withdraw('late-payout', '60', 'refuse')
  await send(deposit('late-payout', PAYOUT, { amount: 60, amount_usd: 60, transaction_type: 'Payout' }))

  await buy('implausible-purchase', { from_amount: '500' })
  await buy('contradiction', { deposit_amount: '10' })
  await fault('webhooks', 'drop', { user_reference: 'unknown-currency', event: 'User Onramp', status: 'succeeded' })
  const bought = await lastEvent(await buy('unknown-currency'))
  await send(bought.replace(/("to_currency":\{"code":)"\w+"/, '$1"XYZ"'))

  // The webhook tells another amount than the list, which so adds up to another total than the books.
  await signIn('list-conflict')
  await fault('webhooks', 'drop', { user_reference: 'list-conflict' }, 2)
  const dropped = await lastEvent(await pay('list-conflict', '25'))
  await send(dropped.replace('"amount":25', '"amount":26'))
  // A new session reads the list at once; a read for the first session may have been before the deposit.
  await signIn('list-conflict')

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

  await giveUpDelivery(databaseFile, DEAD_DELIVERY)
  refused.delete(DEAD_DELIVERY)

  // Only the list tells of this deposit's success: from then on the webhooks are silent.
  await signIn('lost-webhook')
  await fault('webhooks', 'drop', { user_reference: 'lost-webhook', status: 'succeeded' })
  await pay('lost-webhook', '15')
  await sent('lost-webhook')
  await send('{}', { signing: 'other_key' })
  return true
}
