/**
 * Withdrawals with a gateway that fails in every way, and a cashier that is killed meanwhile: no withdrawal reaches the
 * gateway twice, each one ends, and the ledger agrees with the gateway's payments.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { describe, expect, test, vi } from 'vitest'
import { add, canonical, decimal, subtract, sum, type Decimal } from '#lib/contract/money.ts'
import { allRows } from '#lib/server/store/testing/all-rows.ts'
import type { FaultKinds } from '../../packages/testing/src/index.ts'
import { gatewayCalls } from './gateway-calls.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

/** Magic fractions of the sandbox (docs/guides/test.md); `5` is an amount that succeeds. */
const FRACTIONS = ['5', '0702', '0703', '0704', '0705', '0706', '0707', '0708', '0709', '0711', '0712', '0713', '0714']

/** Faults without a fraction; each has its own user. */
const FAULTS: Readonly<Record<string, { kind: FaultKinds['withdraw']; settings?: object }>> = {
  redirected: { kind: 'redirect' },
  'timed-out-before': { kind: 'error_before_commit', settings: { status: 408 } },
  'timed-out-after': { kind: 'error_after_commit', settings: { status: 408 } },
  'cut-in-reply': { kind: 'cut_mid_reply' },
  'another-shape': { kind: 'wrong_shape' },
  'silent-before': { kind: 'silence', settings: { when: 'before' } },
}
const PLAIN_USERS = ['many-0', 'many-1', 'many-2', 'many-3'] as const
const FUNDS = decimal('100000')
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const AT_ONCE = 25

interface Wish {
  readonly user: string
  readonly amount: string
}

/** `count` withdrawals with different amounts. */
function wishes(count: number): readonly Wish[] {
  const withFault = Object.keys(FAULTS)
  return Array.from({ length: count }, (_item, at) => {
    const faulty = at % 5 === 4 ? withFault[Math.floor(at / 5) % withFault.length] : undefined
    const user = faulty ?? PLAIN_USERS[at % PLAIN_USERS.length] ?? ''
    return { user, amount: `${at + 1}.${faulty === undefined ? FRACTIONS[at % FRACTIONS.length] : '5'}` }
  })
}

const payouts = z.object({
  withdrawals: z.array(z.object({ amount: z.string(), status: z.string(), user_ref_id: z.string() })),
})

async function atRest(system: System): Promise<boolean> {
  const statuses = await system.withStore((store) =>
    store.database.db.selectFrom('withdrawals').select('status').distinct().execute(),
  )
  return statuses.every(({ status }) => status === 'succeeded' || status === 'failed')
}

describe.each([
  { database: 'sqlite', count: 500, kills: 3 },
  { database: 'postgres', count: 150, kills: 1 },
] as const)('$count withdrawals on $database', ({ database, count, kills }) => {
  test('each is sent at most once and ends, and the ledger agrees with the gateway', { timeout: 600_000 }, async () => {
    const system = await startSystem({
      database,
      cashier: { RATE_LIMIT: 'off', GATEWAY_TIMEOUT_MS: '1500', WITHDRAWAL_ABSENCE_S: '2' },
      sandbox: { SANDBOX_PAYOUTS_COMPLETE_AFTER_MS: '500' },
    })
    try {
      const currency_id = system.currency('ETH Ethereum')
      const pages = new Map<string, PageClient>()
      for (const user of [...PLAIN_USERS, ...Object.keys(FAULTS)]) {
        pages.set(user, await system.page(user))
        await system.merchant.adjust(user, currency_id, FUNDS)
      }
      for (const [user, { kind, settings = {} }] of Object.entries(FAULTS))
        await system.control.fault({
          target: 'withdraw',
          kind,
          times: 'always',
          match: { user_reference: user },
          settings,
        })

      const all = wishes(count)
      const waiting = [...all]
      const ids = new Map<string, string>()
      const submit = async ({ user, amount }: Wish): Promise<void> => {
        const key = `key-of-${amount}`
        for (;;) {
          const answer = await pages
            .get(user)
            ?.withdraw({ currency_id, amount, wallet_address: WALLET }, key)
            .catch(() => null)
          if (answer?.status === 201) return void ids.set(amount, answer.body.id)
          if (answer) expect([409, 503]).toContain(answer.status)
          await sleep(100)
        }
      }
      const work = async (): Promise<void> => {
        for (let wish = waiting.shift(); wish !== undefined; wish = waiting.shift()) await submit(wish)
      }
      const kill = async (): Promise<void> => {
        for (let time = 1; time <= kills; time += 1) {
          await vi.waitFor(() => expect(ids.size).toBeGreaterThan((count * time) / (kills + 2)), 300_000)
          await system.cashiers[0].kill()
          await system.cashiers[0].start()
        }
      }
      await Promise.all([...Array.from({ length: AT_ONCE }, work), kill()])
      expect(ids.size).toBe(count)
      await vi.waitFor(async () => expect(await atRest(system)).toBe(true), { timeout: 300_000, interval: 500 })

      const calls = await gatewayCalls(system.control)
      const amounts = calls.map(({ body }) => body['amount'])
      expect(amounts.length).toBe(new Set(amounts).size)
      expect(amounts.length).toBeGreaterThan(count / 2)

      const listed = payouts.parse(await system.control.call('GET', '/withdrawals?limit=100000')).withdrawals
      const paid = listed.filter(({ status }) => status === 'TXN_PROVIDER_SUCCEEDED')
      const paidAmounts = new Set(paid.map(({ amount }) => canonical(decimal(amount))))
      for (const [user, page] of pages) {
        const own = all.filter((wish) => wish.user === user)
        for (const { amount } of own) {
          const expected = paidAmounts.has(canonical(decimal(amount))) ? 'succeeded' : 'failed'
          expect([amount, (await page.withdrawal(ids.get(amount) ?? '')).status]).toEqual([amount, expected])
        }
        const out = sum(paid.filter(({ user_ref_id }) => user_ref_id === user).map(({ amount }) => decimal(amount)))
        expect(await page.balance(currency_id)).toEqual({ available: canonical(subtract(FUNDS, out)), held: '0' })
      }
      expect(paid.length).toBeGreaterThan(count / 5)
      expect(await system.checkLedger()).toMatchObject({ faults: [], allowedOverdrafts: {} })
      const quarantine = (await (await system.merchant.call('GET', '/quarantine')).json()) as { items: object[] }
      expect(quarantine.items).toEqual([])
      await accountsAgree(system, sum(paid.map(({ amount }) => decimal(amount))))
    } finally {
      await system.close()
    }
  })
})

/** The counter-account of the gateway must equal the gateway's payments. */
async function accountsAgree(system: System, paid: Decimal): Promise<void> {
  const entries = await system.withStore((store) => store.snapshot((ledger) => allRows(ledger.entries())))
  const taken = entries
    .filter(({ account }) => account === 'gateway')
    .reduce((total, { amount }) => add(total, amount), decimal('0'))
  expect(canonical(taken)).toBe(canonical(paid))
}
