/** The console's landing page and its search. */
import { addTroubles } from '../fixtures/console-rows.ts'
import { expect, test } from '../fixtures/console-test.ts'
import { fund } from '../fixtures/money.ts'

const WIDTHS = [390, 1280] as const

test.use({ stackOptions: { cashier: { KEEP_WEBHOOKS_DAYS: '92' } } })
test.describe.configure({ mode: 'serial' })

for (const width of WIDTHS)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(() => {
      test.use({ colorScheme, viewport: { width, height: 800 } })

      test(`pictures: console landing ${width} ${colorScheme}`, async ({ page, stack, user, signIn }) => {
        const take = (name: string) =>
          page.screenshot({
            path: `pictures/console/${width}-${colorScheme}/${name}.png`,
            fullPage: true,
            animations: 'disabled',
          })
        await signIn('viewer')
        await expect(page.getByRole('heading', { name: 'What needs you' })).toBeVisible()
        if (width === 390 && colorScheme === 'light') {
          await expect(page.getByRole('heading', { name: 'Nothing needs you' })).toBeVisible()
          await take('exceptions-none')
          addTroubles(stack)
        }
        await stack.cashier.api.createSession({ user_reference_id: user })
        await fund(stack, user, '1250.000001')
        await fund(stack, user, '0.12345678', 'BTC', 'Bitcoin')
        await expect(page.getByText('Overdue at the gateway')).toBeVisible()
        await expect(page.getByText('0.123').filter({ visible: true }).first()).toBeVisible({ timeout: 30_000 })
        await take('exceptions')
        await page.goto('/operate/search')
        await take('search')
        await page.goto('/operate/search?q=nobody-at-all')
        await expect(page.getByText('Nothing has')).toBeVisible()
        await take('search-none')
        await page.goto(`/operate/search?q=${user.slice(0, 8)}`)
        await expect(page.getByRole('region', { name: 'Users' })).toBeVisible()
        await take('search-users')
      })
    })
