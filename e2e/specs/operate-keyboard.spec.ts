/** The console by keyboard alone, and its palette. */
import { expect, test } from '../fixtures/console-test.ts'
import { holdScripts } from '../fixtures/held-scripts.ts'
import { violations } from '../fixtures/violations.ts'

test('keys go to pages, move in lists, and tell what they do', async ({ page, signIn }) => {
  const { name } = await signIn('admin')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await expect(keys.getByText('Go to Operators')).toBeVisible()
  // In a dialog the keys mean nothing.
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/\/operate$/)
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()

  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await expect(page).toHaveURL(/\/operate\/operators$/)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  const rows = page.locator('[data-row]')
  const focusedRow = () => rows.evaluateAll((all) => all.findIndex((row) => row.contains(document.activeElement)))
  await page.keyboard.press('j')
  expect(await focusedRow()).toBe(0)
  await page.keyboard.press('j')
  expect(await focusedRow()).toBe(Math.min(1, (await rows.count()) - 1))
  await page.keyboard.press('k')
  expect(await focusedRow()).toBe(0)
  // While somebody types, they are letters.
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByLabel('Name').pressSequentially('gs/?jk')
  await expect(page.getByLabel('Name')).toHaveValue('gs/?jk')
  await expect(page).toHaveURL(/\/operate\/operators$/)
})

test('the palette opens pages, what was open last, and the search', async ({ page, signIn }) => {
  await signIn('admin')
  const palette = page.getByRole('dialog', { name: 'Go to anything' })
  const field = palette.getByRole('combobox')
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await field.pressSequentially('sett')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/operate\/settings$/)
  await expect(palette).toBeHidden()

  await page.keyboard.press('/')
  await field.pressSequentially('0xab c')
  await expect(palette.getByRole('option', { name: 'Search for “0xab c”' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/operate\/search\?q=0xab%20c$/)

  // A page with a search field of its own has the focus there.
  const own = page.locator('main [data-search]')
  await expect(own).toHaveValue('0xab c')
  await page.getByRole('heading').first().click()
  await page.keyboard.press('/')
  await expect(own).toBeFocused()
  await page.keyboard.press('Control+k')
  await palette.getByRole('option', { name: 'Operators' }).click()
  await expect(page).toHaveURL(/\/operate\/operators$/)
})

test('keys that come before the palette go to its field', async ({ page, signIn }) => {
  const late = await holdScripts(page, 'scroll-py-10')
  await signIn('admin')
  await page.keyboard.press('/')
  await late.held
  // Whoever does not wait gets the keys back.
  await page.keyboard.press('Escape')
  await page.keyboard.type('ga')
  await expect(page).toHaveURL(/\/operate\/audit$/)
  await page.keyboard.press('/')
  await page.keyboard.type('ga/jk x')
  late.release()
  const field = page.getByRole('dialog', { name: 'Go to anything' }).getByRole('combobox')
  await expect(field).toBeFocused()
  await page.keyboard.type('1')
  await expect(field).toHaveValue('ga/jk x1')
  await expect(page).toHaveURL(/\/operate\/audit$/)
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await page.keyboard.press('/')
  await expect(field).toHaveValue('')
})

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(() => {
    test.use({ colorScheme })

    test(`axe finds no violation in the console's access pages: ${colorScheme}`, async ({ page, signIn }) => {
      const clean = async (): Promise<void> => expect(await violations(page.mainFrame())).toEqual([])
      await page.goto('/operate/invitation#x')
      await expect(page.getByRole('heading')).toBeVisible()
      await clean()
      await signIn('admin')
      await page.goto('/operate/operators')
      await expect(page.getByRole('button', { name: 'Change role' }).first()).toBeVisible()
      await clean()
      for (const opener of ['Invite', 'Change role', 'Disable'] as const) {
        await page.getByRole('button', { name: opener, exact: true }).first().click()
        await expect(page.getByRole('dialog')).toBeVisible()
        await clean()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toBeHidden()
      }
      for (const key of ['?', 'Control+k'] as const) {
        await page.keyboard.press(key)
        await expect(page.getByRole('dialog')).toBeVisible()
        await clean()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toBeHidden()
      }
      await page.goto('/operate/settings')
      await page.getByRole('button', { name: 'Examine' }).click()
      await expect(page.getByRole('button', { name: 'Examine again' })).toBeVisible()
      await clean()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
      await clean()
    })
  })
