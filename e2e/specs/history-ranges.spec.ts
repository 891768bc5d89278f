/**
 * The history's time ranges at the boundary of a day, a week and a month. The clocks of gateway and cashier show the
 * first minutes of a Tuesday, 1 December. Ranges use UTC days for all users; headings use the user's days.
 */
import type { APIRequestContext } from 'playwright/test'
import { z } from 'zod'
import { shiftedClock } from '../fixtures/shifted-clock.ts'
import type { SandboxControl } from '../fixtures/sandbox-control.ts'
import type { StackOptions } from '../fixtures/stack.ts'
import { expect, test as base } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

const NOW = Date.parse('2026-12-01T00:00:20Z')

const test = base.extend<object, { offsetMs: number; stackOptions: StackOptions }>({
  offsetMs: [async ({}, use) => use(NOW - Date.now()), { scope: 'worker' }],
  stackOptions: [
    async ({ offsetMs }, use) =>
      use({ cashier: shiftedClock(offsetMs), sandbox: { SANDBOX_CLOCK_OFFSET_MS: String(offsetMs) } }),
    { scope: 'worker' },
  ],
})

// One stack for all tests, because starting a stack costs more than these tests.
test.describe.configure({ mode: 'default' })

/** Creates a deposit and a payout at each of these times, with the number as their amount. */
const TIMES = {
  1: '2026-10-31T23:59:59.999Z',
  2: '2026-11-01T00:00:00.000Z',
  3: '2026-11-29T23:59:59.999Z',
  4: '2026-11-30T00:00:00.000Z',
  5: '2026-11-30T23:58:00.000Z',
  6: '2026-12-01T00:00:00.000Z',
} as const

const RANGES = ['today', 'yesterday', 'last_24hrs', 'this_week', 'this_month', 'last_month'] as const
type Range = (typeof RANGES)[number]

/** Amounts in each range, newest first. */
const BEFORE_MIDNIGHT: Record<Range, string> = {
  today: '54',
  yesterday: '3',
  last_24hrs: '543',
  this_week: '54',
  this_month: '5432',
  last_month: '1',
}
const AFTER_MIDNIGHT: Record<Range, string> = {
  today: '6',
  yesterday: '54',
  last_24hrs: '65',
  this_week: '654',
  this_month: '6',
  last_month: '5432',
}
const TYPES = [['Deposit'], ['Payout'], ['Deposit', 'Payout']] as const

async function createRows(control: SandboxControl, user: string): Promise<void> {
  for (const [amount, at] of Object.entries(TIMES)) {
    for (const type of ['Payout', 'Deposit'])
      await control.call('POST', '/transactions/seed', { user_reference: user, count: 1, type, amount, at })
  }
}

const listed = z.object({
  edges: z.array(z.object({ node: z.object({ type: z.string(), amount: z.string() }) })),
  total_count: z.number(),
})

/** The amounts of each type in the list, newest first, and the total number. */
async function list(request: APIRequestContext, session: string, range: Range, types: readonly string[]) {
  const query = new URLSearchParams([['time_range', range], ...types.map((type) => ['transaction_types', type])])
  const url = `/api/cashier/transactions?${query.toString()}`
  const response = await request.get(url, { headers: { 'x-cashier-session': session } })
  const { edges, total_count } = listed.parse(await response.json())
  const amounts = (type: string): string =>
    edges.flatMap(({ node }) => (node.type === type ? node.amount : [])).join('')
  return { Deposit: amounts('Deposit'), Payout: amounts('Payout'), total_count }
}

test('each range, with each type and with both, on both sides of midnight', async ({
  playwright,
  stack,
  user,
  createSession,
  offsetMs,
}) => {
  const { control } = stack.sandbox
  await createRows(control, user)
  const session = await createSession()
  const request = await playwright.request.newContext({ baseURL: stack.cashier.url })
  await request.post('/launch', {
    form: { launch_token: session.launch_token },
    headers: { origin: stack.cashier.url },
  })
  const check = async (expected: Record<Range, string>): Promise<void> => {
    for (const range of RANGES) {
      for (const types of TYPES) {
        const amounts = expected[range]
        const of = (type: string): string => (types.some((one) => one === type) ? amounts : '')
        expect(await list(request, session.session_id, range, types), `${range} ${types.join()}`).toEqual({
          Deposit: of('Deposit'),
          Payout: of('Payout'),
          total_count: amounts.length * types.length,
        })
      }
    }
  }
  // Within the tolerance for timestamps, so the cashier's clock can stay past midnight.
  await control.call('POST', '/clock', { offset_ms: Date.parse('2026-11-30T23:59:10Z') - Date.now() })
  await check(BEFORE_MIDNIGHT)
  await control.call('POST', '/clock', { offset_ms: offsetMs })
  await check(AFTER_MIDNIGHT)
  await request.dispose()
})

/** Headings of the rows above, each for the two rows at the end of a day. */
const ZONES = [
  { zone: 'Pacific/Tongatapu', oldest: 'November 1, 2026' },
  { zone: 'Pacific/Pago_Pago', oldest: 'October 31, 2026' },
]
for (const { zone, oldest } of ZONES) {
  test.describe(zone, () => {
    test.use({ timezoneId: zone })

    test('the page requests UTC days and groups by the user’s days', async ({
      page,
      embedded,
      stack,
      user,
      openCashier,
      offsetMs,
    }) => {
      await createRows(stack.sandbox.control, user)
      await page.clock.install({ time: Date.now() + offsetMs })
      await openCashier({ flows: ['history'] })
      const { history } = new Cashier(embedded)
      /** Expects exactly these rows: `toContainText` alone accepts more. */
      const expectRows = async (texts: readonly string[]): Promise<void> => {
        await expect(history.rows()).toHaveCount(texts.length)
        await expect(history.rows()).toContainText(texts)
      }
      await expect(history.rows()).toHaveCount(12)
      await expect(history.days()).toHaveText(['Today', 'Yesterday', oldest])

      for (const range of RANGES) {
        const amounts = Array.from(AFTER_MIDNIGHT[range])
        const deposits = amounts.map((amount) => `+ ${amount} `)
        const payouts = amounts.map((amount) => `− ${amount} `)
        await history.range(range)
        await expectRows(deposits.flatMap((deposit, at) => [deposit, payouts[at] ?? '']))
        await history.type('Payout')
        await expectRows(payouts)
        await expect(embedded.getByText('Days start at midnight UTC.')).toBeVisible({ visible: range !== 'last_24hrs' })
        await history.type('Deposit')
        await expectRows(deposits)
        if (range === 'yesterday') await expect(history.days()).toHaveText(['Today', 'Yesterday'])
        await expect(embedded.getByTestId('time-range')).toHaveValue(range)
        await history.type('all')
        await expect(history.rows()).toHaveCount(2 * amounts.length)
      }
    })
  })
}
