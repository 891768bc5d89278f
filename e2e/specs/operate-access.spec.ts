import { expect, test } from '../fixtures/console-test.ts'

test('an invited operator creates a passkey, signs out, and signs in by it', async ({ page, signIn }) => {
  const { name, authenticator } = await signIn('admin')
  expect(await authenticator.count()).toBe(1)
  await expect(page).toHaveURL(/\/operate$/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText(`${name}, admin`)).toBeVisible()
})
