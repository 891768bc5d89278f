/** The console on the narrowest phones, and its longest amounts. */
import { expect, test } from '../fixtures/console-test.ts'
import { fund } from '../fixtures/money.ts'
import { overflows } from '../fixtures/narrow-page.ts'

test('a long amount stays in its card', async ({ page, stack, user, createSession, signIn }) => {
  await createSession()
  await fund(stack, user, '123456789012345678.12345678')
  await fund(stack, user, '0.00000001')
  await signIn('viewer')
  const main = page.getByRole('main')
  const amount = main.getByText('123,456,789,012,345,678.1234567').filter({ visible: true })
  await page.setViewportSize({ width: 320, height: 700 })
  for (const path of [`/operate/users/${user}`, `/operate/transactions?user=${user}`]) {
    await page.goto(path)
    await expect(amount.first()).toBeVisible()
    expect(await overflows(main), path).toEqual([])
  }

  await page.setViewportSize({ width: 1280, height: 700 })
  const caption = main.locator('figcaption', { hasText: '123,456,789,012,345,678.1234567' })
  // The numbers of the last days are kept for a while.
  await expect(async () => {
    await page.goto('/operate')
    await expect(caption).toBeVisible({ timeout: 5000 })
  }).toPass()
  expect(await caption.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('on a phone the menu shows the link of its page, and offers no keyboard', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await signIn('admin')
  const menu = page.getByRole('navigation', { name: 'Pages' })
  await expect(menu.getByRole('link', { name: 'Exceptions' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'List of keys' })).toBeHidden()
  await page.goto('/operate/settings')
  await expect(menu.getByRole('link', { name: 'Settings' })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 700 })
  await expect(page.getByRole('button', { name: 'List of keys' })).toBeVisible()
})
