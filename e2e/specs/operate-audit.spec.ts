/** The audit log in the console. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { renameInAudit } from '../fixtures/console-rows.ts'
import { expect, test } from '../fixtures/console-test.ts'
import { violations } from '../fixtures/violations.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Audit log' }).getByRole('row')

test('each act is shown, and found by who, what and whom', async ({ page, browser, stack, signIn }) => {
  const { name } = await signIn('admin')
  const user = `u-${crypto.randomUUID().slice(0, 8)}`
  await page.goto(`/operate/search?q=${user}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/operate/audit')
  await expect(rows(page).filter({ hasText: user })).toContainText('search')
  await expect(rows(page).filter({ hasText: user })).toContainText(name)

  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Who', { exact: true }).fill(name)
  await page.getByLabel('What', { exact: true }).fill('search')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(/operator=.*action=search|action=search.*operator=/)
  await expect(rows(page)).toHaveCount(2)
  // The address is the list.
  const other = await (await browser.newContext({ baseURL: stack.cashier.url })).newPage()
  await signIn('viewer', other)
  await other.goto(page.url())
  await expect(rows(other)).toHaveCount(2)
  await expect(rows(other).last()).toContainText(user)
  await expect(other.getByRole('button', { name: 'Check the chain' })).toHaveCount(0)
  await other.goto(`/operate/audit?about=${user}`)
  await expect(rows(other)).toHaveCount(2)
  await other.goto('/operate/audit?about=nobody-at-all')
  await expect(other.getByRole('button', { name: 'Clear' }).last()).toBeVisible()
  await other.context().close()

  // And a view keeps it.
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Name of a view').fill('My searches')
  await page.getByRole('button', { name: 'Save view' }).click()
  const view = page.getByRole('link', { name: 'My searches' })
  await expect(view).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Remove the filter What' }).click()
  await expect(page).not.toHaveURL(/action=/)
  await view.click()
  await expect(page).toHaveURL(/action=search/)
  await expect(rows(page)).toHaveCount(2)

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  expect(text.trim().split('\r\n')).toHaveLength(2)
  expect(text).toContain(`"${name}","search"`)
})

test('the check says that the log is whole, and names an entry that was changed', async ({ page, signIn, stack }) => {
  const { name } = await signIn('admin')
  await page.goto('/operate/audit')
  const check = page.getByRole('button', { name: 'Check the chain' })
  await check.click()
  await expect(page.getByText(/The log is whole: \d+ entr/)).toBeVisible()
  await expect(rows(page).filter({ hasText: 'audit.check' }).first()).toContainText('done')

  const own = rows(page).filter({ hasText: name }).last()
  const seq = Number(await own.getAttribute('data-row'))
  renameInAudit(stack, seq, name, 'somebody else')
  await check.click()
  await expect(page.getByText(`The log is broken: entry ${String(seq)} was changed`)).toBeVisible()
  renameInAudit(stack, seq, 'somebody else', name)
  await check.click()
  await expect(page.getByText(/The log is whole/)).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(() => {
    test.use({ colorScheme })

    test(`axe finds no violation in the audit log: ${colorScheme}`, async ({ page, signIn }) => {
      const clean = async (): Promise<void> => expect(await violations(page.mainFrame())).toEqual([])
      await signIn('admin')
      await page.goto('/operate/audit?action=nothing-like-it')
      await expect(page.getByRole('button', { name: 'Clear' })).toBeVisible()
      await clean()
      await page.goto('/operate/audit')
      await page.getByRole('button', { name: 'Check the chain' }).click()
      await expect(page.getByText(/The log is whole/)).toBeVisible()
      await page.getByRole('button', { name: 'Filters' }).click()
      await expect(page.getByLabel('Who', { exact: true })).toBeVisible()
      await clean()
    })
  })
