import { listCalls } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

const ROWS = 10_000
/** Much less than the number of rows, but enough for this test's presses and the throttled reads on a slow machine. */
const MOST_READS = 200
/**
 * How much longer the oldest rows may take than the newest. Reading from the newest row would need 500 times the calls.
 */
const SLOWER_AT_MOST = 10
/** The fastest of this many loads counts, because a busy machine makes some loads slow. */
const LOADS = 3

test('ten thousand transactions are paged and filtered, and read a page at a time', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  const reads: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/cashier/transactions') reads.push(url)
  })
  await stack.sandbox.control.call('POST', '/transactions/seed', { user_reference: user, count: ROWS })
  const { session_id } = await openCashier({ flows: ['history'] })
  const { history } = new Cashier(embedded)
  await expect(history.rows()).toHaveCount(20)
  await expect(embedded.getByText('10,000 transactions')).toBeVisible()

  /** The number of the list's last row. */
  const endsWith = (number: string): Promise<void> =>
    expect(history.rows().last()).toContainText(`${number}.00000000\u2026`)
  const older = embedded.getByRole('link', { name: 'Older' })
  await older.click()
  await endsWith('40')
  await older.click()
  await endsWith('60')
  // Every second row is a payout.
  await history.type('Payout')
  await endsWith('40')
  await expect(embedded.getByText('5,000 transactions')).toBeVisible()

  // The end of the list, where reading from the newest row would be slow.
  const list = (query: string): Promise<readonly { cursor: string }[]> =>
    frameOf(page).evaluate(
      async ({ id, query }) => {
        const headers = { 'x-cashier-session': id }
        const response = await fetch(`/api/cashier/transactions?${query}`, { headers })
        return ((await response.json()) as { edges: { cursor: string }[] }).edges
      },
      { id: session_id, query },
    )
  const cursor = (await list('last=21'))[0]?.cursor ?? ''
  /** Milliseconds from opening a URL to its rows. */
  const loadMs = async (query: string, number: string): Promise<number> => {
    const address = new URL(frameOf(page).url())
    address.search = query
    const began = performance.now()
    await frameOf(page).goto(address.href)
    await endsWith(number)
    return performance.now() - began
  }
  const newestMs: number[] = []
  const oldestMs: number[] = []
  for (let load = 0; load < LOADS; load += 1) {
    newestMs.push(await loadMs('', '20'))
    oldestMs.push(await loadMs(`after=${encodeURIComponent(cursor)}`, '10,000'))
  }
  expect(Math.min(...oldestMs)).toBeLessThanOrEqual(Math.min(...newestMs) * SLOWER_AT_MOST)
  await expect(history.rows()).toHaveCount(20)
  await expect(embedded.getByRole('link', { name: 'Older' })).toHaveCount(0)
  await embedded.getByRole('link', { name: 'Newer' }).click()
  await endsWith('9,980')

  // A page size that nothing else requests.
  expect(await list('first=17')).toHaveLength(17)
  expect(await list(`first=17&after=${cursor}`)).toHaveLength(17)
  const calls = await listCalls(stack, user)
  expect(calls.filter(({ first }) => first === 17)).toEqual([{ first: 17 }, { first: 17, after: cursor }])

  // Meanwhile the cashier reconciles with the list, which causes an event for each row.
  expect(reads.length).toBeLessThan(MOST_READS)
  const sizes = reads.map(({ searchParams }) => Number(searchParams.get('first') ?? searchParams.get('last')))
  expect(Math.max(...sizes)).toBe(21)
})
