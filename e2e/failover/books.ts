/** Reads what the cashier stored, by the merchant API, and what the gateway has, by the sandbox's control API. */
import pg from 'pg'
import { z } from 'zod'
import { checkLedger } from '#lib/server/store/commands/check-ledger.ts'
import { openStore } from '#lib/server/store/store.ts'
import type { MerchantApi } from '../fixtures/merchant-api.ts'
import type { SandboxControl } from '../fixtures/sandbox-control.ts'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import { gatewayCalls } from '../system/gateway-calls.ts'
import { millionths, type Books, type Feed, type Payout, type SeenCall } from './oracle.ts'

const MOST = 100_000

async function readAll<T>(
  merchant: MerchantApi,
  path: string,
  field: string,
  row: z.ZodType<T>,
): Promise<readonly T[]> {
  const all: T[] = []
  for (let after = ''; ;) {
    const query = `limit=1000${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`
    const response = await merchant.call('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)
    const page = z.looseObject({ next_cursor: z.string().nullable() }).parse(await response.json())
    const rows = z.array(row).parse(page[field])
    all.push(...rows)
    if (rows.length < 1000 || page.next_cursor === null) return all
    after = page.next_cursor
  }
}

const withdrawal = z.object({
  id: z.string(),
  user_reference_id: z.string(),
  amount: z.string(),
  status: z.string(),
  transaction_uuid: z.string().nullable(),
})

/** The withdrawals that have not ended. */
export async function openWithdrawals(merchant: MerchantApi): Promise<number> {
  const all = await readAll(merchant, '/withdrawals', 'withdrawals', withdrawal)
  return all.filter(({ status }) => status !== 'succeeded' && status !== 'failed').length
}

const entry = z.object({
  reason: z.string(),
  account: z.string(),
  amount: z.string(),
  transaction_uuid: z.string().nullish(),
  withdrawal_id: z.string().nullish(),
})
const balances = z.object({
  balances: z.array(z.object({ currency_id: z.string(), available: z.string(), held: z.string() })),
})

const text = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(7, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

export async function readFeed(merchant: MerchantApi): Promise<Feed> {
  const feed = await readMerchantFeed(merchant)
  return feed.map(({ cursor, data }) => ({
    number: Number(cursor.split('-')[1]),
    user: data.user_reference_id,
    about: data.transaction_uuid ?? data.withdrawal_id ?? '',
    status: data.status,
  }))
}

export async function readBooks(
  merchant: MerchantApi,
  databaseUrl: string,
  users: readonly string[],
  currency: string,
): Promise<Omit<Books, 'feed'>> {
  const withdrawals = await readAll(merchant, '/withdrawals', 'withdrawals', withdrawal)
  const open = await readAll(merchant, '/payouts?owner=none', 'payouts', z.object({ transaction_uuid: z.string() }))
  const entries: Books['entries'][number][] = []
  const owned = new Map<string, string>()
  for (const user of users) {
    for (const { reason, account, amount, transaction_uuid, withdrawal_id } of await readAll(
      merchant,
      `/users/${user}/entries`,
      'entries',
      entry,
    ))
      entries.push({
        user,
        reason,
        account,
        amount,
        transactionUuid: transaction_uuid ?? null,
        withdrawalId: withdrawal_id ?? null,
      })
    const read = balances.parse(await (await merchant.call('GET', `/users/${user}/balances`)).json())
    const mine = read.balances.find(({ currency_id }) => currency_id === currency)
    owned.set(user, text(millionths(mine?.available ?? '0') + millionths(mine?.held ?? '0')))
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ timeline: number }>(
    "select value::int as timeline from reconciliation where name = 'timeline'",
  )
  await client.end()
  const store = await openStore({ url: databaseUrl, clock: Date.now, deliver: false })
  try {
    const { faults } = await store.snapshot(checkLedger)
    return {
      withdrawals: withdrawals.map((one) => ({
        id: one.id,
        user: one.user_reference_id,
        amount: one.amount,
        status: one.status,
        transactionUuid: one.transaction_uuid,
      })),
      balances: owned,
      entries,
      openPayouts: open.map(({ transaction_uuid }) => transaction_uuid),
      promotions: (rows[0]?.timeline ?? 1) - 1,
      ledgerFaults: faults,
    }
  } finally {
    await store.close()
  }
}

export async function readGateway(
  control: SandboxControl,
): Promise<{ readonly calls: readonly SeenCall[]; readonly payouts: readonly Payout[] }> {
  const withdraws = z.object({ amount: z.union([z.string(), z.number()]).transform(String) })
  const calls = (await gatewayCalls(control)).map(({ user_reference, body }) => ({
    user: user_reference ?? '',
    amount: withdraws.parse(body).amount,
  }))
  const payouts = (await control.withdrawals({ limit: MOST })).map((one) => ({
    uuid: one.transaction_uuid,
    user: one.user_ref_id,
    amount: one.amount,
    succeeded: one.status === 'TXN_PROVIDER_SUCCEEDED',
  }))
  return { calls, payouts }
}

/** How many events are in quarantine, by reason. */
export async function quarantined(merchant: MerchantApi): Promise<Readonly<Record<string, number>>> {
  const items = await readAll(merchant, '/quarantine', 'items', z.object({ reason: z.string() }))
  return Object.fromEntries(
    [...Map.groupBy(items, ({ reason }) => reason)].map(([reason, { length }]) => [reason, length]),
  )
}

/** The events that the gateway has not delivered yet. */
export async function waitingEvents(control: SandboxControl): Promise<number> {
  return (await control.webhooks({ state: 'queued', limit: MOST })).length
}
