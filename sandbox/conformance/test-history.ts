import { z } from 'zod'
import type { CheckContext } from './check-context.ts'
import { transactionList } from './shapes.ts'
import type { TransactionList } from './shapes.ts'
import { parseAs, assertStatus } from './assertions.ts'

const PATH = '/v1/user/transactions'
const HOUR = 3_600_000

/** The age of each deposit: inside, at the edge of and outside each time range. */
const HOURS_AGO = [
  0.1,
  5,
  20,
  23.5,
  24.5,
  30,
  47,
  73,
  100,
  145,
  170,
  24 * 12,
  24 * 20,
  24 * 29,
  24 * 33,
  24 * 45,
  24 * 65,
] as const

const madeSchema = z.looseObject({ transaction: z.looseObject({ transaction_uuid: z.string() }) })

export async function listOf(
  bench: CheckContext,
  request: Readonly<Record<string, unknown>>,
): Promise<TransactionList> {
  const answer = await bench.call('POST', PATH, request)
  assertStatus(answer, 200)
  return parseAs(transactionList, answer.json, 'the list')
}

export const uuidsOf = ({ edges }: TransactionList): readonly string[] => edges.map(({ node }) => node.transaction_uuid)

/** Makes a deposit by the control API. */
export async function deposit(bench: CheckContext, user: string, amount: string, confirm = true): Promise<string> {
  const { id } = await bench.currencyOn('Ethereum')
  const made = await bench.control.call('POST', '/deposits', { user_reference: user, currency_id: id, amount, confirm })
  return madeSchema.parse(made).transaction.transaction_uuid
}

export interface History {
  readonly user: string
  /** Newest first. */
  readonly deposits: readonly { readonly uuid: string; readonly at: number }[]
}

/** A user with deposits over two months, made by moving the gateway's clock. */
export const history = (bench: CheckContext): Promise<History> =>
  bench.once('history', async () => {
    const user = bench.user()
    const deposits: { uuid: string; at: number }[] = []
    try {
      for (const hours of HOURS_AGO.toReversed()) {
        await bench.control.call('POST', '/clock', { offset_ms: Math.round(-hours * HOUR) })
        deposits.unshift({ uuid: await deposit(bench, user, '1.5'), at: Date.now() - hours * HOUR })
      }
    } finally {
      await bench.control.call('POST', '/clock', { offset_ms: 0 })
    }
    return { user, deposits }
  })

/** A user with seven deposits and four payouts, and the uuids of each, newest first. */
export const mixedHistory = (
  bench: CheckContext,
): Promise<{ readonly user: string; readonly all: readonly string[]; readonly deposits: readonly string[] }> =>
  bench.once('mixed', async () => {
    const user = bench.user()
    const deposits: string[] = []
    const all: string[] = []
    const { id } = await bench.currencyOn('Ethereum')
    for (let turn = 0; turn < 11; turn += 1) {
      const isPayout = turn % 3 === 1
      if (isPayout) {
        const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
        assertStatus(
          await bench.call('POST', '/v1/user/withdraw', {
            currency_id: id,
            amount: '2',
            wallet_address: wallet,
            user_reference_id: user,
          }),
          200,
        )
        all.unshift(uuidsOf(await listOf(bench, { user_reference_id: user, first: 1 }))[0] ?? '')
      } else {
        const uuid = await deposit(bench, user, '3')
        deposits.unshift(uuid)
        all.unshift(uuid)
      }
    }
    return { user, all, deposits }
  })

const DAY = 86_400_000

/** For each `time_range`, whether it contains a time. Days are UTC; weeks start on Monday. */
export const SPANS: Readonly<Record<string, (at: number, now: number) => boolean>> = {
  today: (at, now) => day(at) === day(now),
  yesterday: (at, now) => day(at) === day(now) - 1,
  // 1970-01-01 was a Thursday: adding three days makes weeks begin on Mondays.
  this_week: (at, now) => Math.floor((day(at) + 3) / 7) === Math.floor((day(now) + 3) / 7),
  this_month: (at, now) => month(at) === month(now),
  last_month: (at, now) => month(at) === month(now) - 1,
  last_24hrs: (at, now) => now - at <= DAY,
}

const day = (at: number): number => Math.floor(at / DAY)
const month = (at: number): number => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth()
