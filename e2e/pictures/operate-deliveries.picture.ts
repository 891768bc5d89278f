/** The console's deliveries, and the view of them in the merchant's admin. */
import { expect } from '../fixtures/console-test.ts'
import { deliveriesTest as test, giveUp, refusedDeposit } from '../fixtures/deliveries-test.ts'
import { fund } from '../fixtures/money.ts'
import { openAdmin } from '../views/admin-page.ts'

for (const width of [390, 1280] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(() => {
      test.use({ colorScheme, viewport: { width, height: 800 } })

      test(`pictures: deliveries ${String(width)} ${colorScheme}`, async ({
        page,
        stack,
        user,
        receiver,
        signIn,
        consoleFaults,
      }) => {
        const take = (name: string) =>
          page.screenshot({
            path: `pictures/console/${String(width)}-${colorScheme}/${name}.png`,
            fullPage: true,
            animations: 'disabled',
          })
        await stack.cashier.api.createSession({ user_reference_id: `${user}-a` })
        await fund(stack, `${user}-a`, '3')
        await refusedDeposit(stack, receiver, `${user}-b`)
        giveUp(stack, `${user}-b`)
        await refusedDeposit(stack, receiver, user, 503, '{"error":"maintenance","until":"tonight"}')
        await signIn('agent')
        await page.goto('/operate/deliveries')
        await expect(page.locator('[data-row]').first()).toBeVisible()
        await take('deliveries')
        await page.getByRole('button', { name: 'Send all since a time again' }).click()
        await page.getByRole('dialog').getByLabel('Since').fill('2026-01-01T00:00')
        await expect(page.getByText(/will be sent$/)).toBeVisible()
        await take('deliveries-resend')
        await page.keyboard.press('Escape')
        await page.goto(`/operate/deliveries?user=${user}`)
        await page
          .locator('[data-row]')
          .last()
          .getByRole('link', { name: /^Deposit/ })
          .click()
        await expect(page.getByText('maintenance').first()).toBeVisible()
        await take('delivery')
        const created = await stack.cashier.api.call('POST', '/delivery-views')
        const { view_url } = (await created.json()) as { view_url: string }
        await openAdmin(page, stack, view_url)
        await expect(page.frameLocator('iframe').locator('[data-row]').first()).toBeVisible()
        await take('delivery-view')
        receiver.status = 204
        consoleFaults.length = 0
      })
    })
