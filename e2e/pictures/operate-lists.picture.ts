/** The console's lists. */
import { expect, test } from '../fixtures/console-test.ts'
import { addPayouts, addQuarantine, addTransactions, addWithdrawals } from '../fixtures/list-rows.ts'

const WIDTHS = [390, 1280] as const
const LISTS = ['transactions', 'withdrawals', 'payouts', 'quarantine'] as const
const TOOLS = ['Filters', 'Views', 'Columns'] as const

for (const width of WIDTHS)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(() => {
      test.use({ colorScheme, viewport: { width, height: 800 } })

      test(`pictures: console lists ${width} ${colorScheme}`, async ({ page, stack, user, signIn, consoleFaults }) => {
        const take = (name: string) =>
          page.screenshot({
            path: `pictures/console/${width}-${colorScheme}/${name}.png`,
            fullPage: true,
            animations: 'disabled',
          })
        const statuses = ['succeeded', 'failed', 'processing', 'awaiting_approval', 'succeeded', 'failed'] as const
        const rows = statuses.map((status, index) => ({
          id: `0b5e${String(index)}c3a-${user}`,
          status,
          kind: (['deposit', 'payout', 'onramp'] as const)[index % 3] ?? 'deposit',
          overdue: status === 'processing',
          amount: ['150', '0.00012345', '123456789.000000000000000001'][index % 3] ?? '1',
        }))
        addTransactions(stack, user, rows)
        addWithdrawals(stack, user, [
          ...rows,
          { id: `u-${user}`, status: 'unknown' },
          { id: `p-${user}`, status: 'pending_authorization' },
        ])
        addPayouts(stack, user, rows)
        addQuarantine(
          stack,
          user,
          ['stale', 'overdue', 'unknown_user', 'totals_differ', 'conflict'].map((status, index) => ({
            id: `${String(index)}-${user}`,
            status,
          })),
        )
        await signIn('agent')
        for (const list of LISTS) {
          await page.goto(`/operate/${list}?user=${user}`)
          await expect(page.locator('[data-row]').first()).toBeVisible()
          await take(`list-${list}`)
        }
        for (const tool of TOOLS) {
          await page
            .locator('main')
            .getByRole('button', { name: new RegExp(`^${tool}`) })
            .click()
          await take(`list-${tool.toLowerCase()}`)
        }
        await page.goto('/operate/payouts?user=nobody')
        await expect(page.getByRole('heading', { name: 'Nothing passes' })).toBeVisible()
        await take('list-none-filtered')
        consoleFaults.length = 0
      })
    })
