/** The console's audit log and its keys of the merchant API. */
import { expect, test } from '../fixtures/console-test.ts'

const WIDTHS = [390, 1280] as const

for (const width of WIDTHS)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(() => {
      test.use({ colorScheme, viewport: { width, height: 800 } })

      test(`pictures: audit log and keys ${width} ${colorScheme}`, async ({ page, signIn, consoleFaults }) => {
        const take = async (name: string): Promise<void> => {
          const path = `pictures/console/${width}-${colorScheme}/${name}.png`
          const isCovered = (await page.getByRole('dialog').count()) > 0
          await page.screenshot({ path, fullPage: !isCovered, animations: 'disabled' })
        }
        const name = `Reports ${width} ${colorScheme}`
        await signIn('admin', page, `Grace ${width} ${colorScheme}`)
        await page.goto('/operate/keys')
        await expect(page.getByRole('button', { name: 'Make a key' }).first()).toBeVisible()
        await page.waitForLoadState('networkidle')
        await take('keys-none')
        await page.getByRole('button', { name: 'Make a key' }).first().click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Name').fill(name)
        await dialog.getByRole('checkbox', { name: 'read' }).check()
        await take('keys-make')
        await dialog.getByRole('button', { name: 'Make a key' }).click()
        await expect(dialog.getByText(/^ck_/)).toBeVisible()
        await take('keys-once')
        await dialog.getByRole('button', { name: 'I have kept it' }).click()
        await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
        await take('keys')
        await page.getByRole('button', { name: `Revoke ${name}` }).click()
        await page.getByLabel(`Type ${name}`).fill('x')
        await dialog.getByRole('button', { name: 'Revoke' }).click()
        await take('keys-revoke')
        await page.getByLabel(`Type ${name}`).fill(name)
        await dialog.getByLabel('Reason').fill('It was in a screenshot.')
        await dialog.getByRole('button', { name: 'Revoke' }).click()
        await expect(page.getByRole('row').filter({ hasText: name })).toContainText('revoked')
        await take('keys-revoked')
        await page.goto('/operate/search?q=user-81f3')
        await page.waitForLoadState('networkidle')
        await page.goto('/operate/audit')
        await page.getByRole('button', { name: 'Check the chain' }).click()
        await expect(page.getByText(/The log is whole/)).toBeVisible()
        await take('audit')
        await page.getByRole('button', { name: 'Filters' }).click()
        await take('audit-filters')
        await page.goto('/operate/audit?operator=nobody')
        await expect(page.getByRole('button', { name: 'Clear' })).toBeVisible()
        await take('audit-none')
        consoleFaults.length = 0
      })
    })
