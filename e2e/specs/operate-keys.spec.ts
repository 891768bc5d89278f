/** Keys of the merchant API that are made and revoked in the console. */
import type { Page } from 'playwright/test'
import { ageTouches } from '../fixtures/console-rows.ts'
import { expect, test } from '../fixtures/console-test.ts'
import type { Stack } from '../fixtures/stack.ts'
import { violations } from '../fixtures/violations.ts'

const callWith =
  ({ cashier }: Stack, key: string) =>
  async (method: string, path: string): Promise<{ readonly status: number; readonly body: unknown }> => {
    const answer = await fetch(`${cashier.url}/api/merchant${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    })
    return { status: answer.status, body: await answer.json() }
  }

const makeKey = async (page: Page, name: string, scopes: readonly string[]): Promise<string> => {
  await page.getByRole('button', { name: 'Make a key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Make a key' })
  await dialog.getByLabel('Name').fill(name)
  for (const scope of scopes) await dialog.getByRole('checkbox', { name: scope }).check()
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  const shown = dialog.getByText(/^ck_/)
  await expect(shown).toBeVisible()
  const key = (await shown.textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  await expect(dialog).toBeHidden()
  return key
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a key works with its scope, is refused for another, and not at all once revoked', async ({
  page,
  signIn,
  stack,
  consoleFaults,
}) => {
  const name = `Reports ${crypto.randomUUID().slice(0, 8)}`
  const { name: admin } = await signIn('admin')
  await page.goto('/operate/keys')
  const key = await makeKey(page, name, ['read'])
  expect(key).toMatch(/^ck_[A-Za-z0-9_-]{43}$/)
  await expect(page.getByText(key)).toHaveCount(0)
  await expect(rowOf(page, name)).toContainText(admin)
  await expect(rowOf(page, name)).toContainText('never')

  const call = callWith(stack, key)
  expect(await call('GET', '/events')).toMatchObject({ status: 200 })
  expect(await call('POST', '/test-event')).toMatchObject({ status: 403, body: { code: 'scope_required' } })
  await page.reload()
  await expect(rowOf(page, name)).toContainText('ago')

  await page.getByRole('button', { name: `Revoke ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Revoke ${name}?` })
  await dialog.getByLabel(`Type ${name}`).fill('Reports')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(dialog.getByText('This is not its name.')).toBeVisible()
  expect(await call('GET', '/events')).toMatchObject({ status: 200 })
  await dialog.getByLabel(`Type ${name}`).fill(name)
  await dialog.getByLabel('Reason').fill('It was in a screenshot.')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(dialog).toBeHidden()
  await expect(rowOf(page, name)).toContainText('revoked')
  expect(await call('GET', '/events')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })

  await page.goto(`/operate/audit?operator=${encodeURIComponent(admin)}`)
  await expect(rowOf(page, 'key.revoke')).toContainText('It was in a screenshot.')
  await expect(rowOf(page, 'key.make')).toBeVisible()
  consoleFaults.length = 0
})

test('making a key asks for the passkey again, and a taken name is refused with what was typed', async ({
  page,
  signIn,
  stack,
  consoleFaults,
}) => {
  const name = `Shop ${crypto.randomUUID().slice(0, 8)}`
  await signIn('admin')
  await page.goto('/operate/keys')
  await makeKey(page, name, ['sessions', 'payouts'])
  await expect(rowOf(page, name)).toContainText('sessions, payouts')

  await page.getByRole('button', { name: 'Make a key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Make a key' })
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  await expect(dialog.getByText('Say what it is for.')).toBeVisible()
  await expect(dialog.getByText('Choose at least one.')).toBeVisible()
  await dialog.getByLabel('Name').fill(name.toUpperCase())
  await dialog.getByRole('checkbox', { name: 'read' }).check()
  ageTouches(stack)
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  // The authenticator confirms by itself; then the call is repeated.
  await expect(dialog.getByRole('alert')).toContainText('Not valid: name.')
  await expect(dialog.getByLabel('Name')).toHaveValue(name.toUpperCase())
  consoleFaults.length = 0
})

test('only admins have the page', async ({ page, signIn }) => {
  await signIn('agent')
  await expect(page.getByRole('link', { name: 'API keys' })).toHaveCount(0)
  await page.goto('/operate/keys')
  await expect(page.getByText('Your role may not see this page')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(() => {
    test.use({ colorScheme })

    test(`axe finds no violation in the pages of keys: ${colorScheme}`, async ({ page, signIn }) => {
      const clean = async (): Promise<void> => expect(await violations(page.mainFrame())).toEqual([])
      const name = `Axe ${colorScheme} ${crypto.randomUUID().slice(0, 8)}`
      await signIn('admin')
      await page.goto('/operate/keys')
      await page.getByRole('button', { name: 'Make a key' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Make a key' }).click()
      await expect(page.getByText('Choose at least one.')).toBeVisible()
      await clean()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      await makeKey(page, name, ['read'])
      await clean()
      await page.getByRole('button', { name: `Revoke ${name}` }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await clean()
    })
  })
