/** Pages without a session. */
import { refuseCookies } from '../fixtures/refuse-cookies.ts'
import { expect } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'
import { pictures } from './picture-test.ts'

pictures('outside', async ({ page, stack, createSession, locale, theme, take }) => {
  await page.goto(`${stack.cashier.url}/onramp/return`)
  await take('return')
  await page.goto(`${stack.cashier.url}/c/${crypto.randomUUID()}`)
  await expect(page.getByTestId('session-ended')).toBeVisible()
  await take('session-ended')
  await page.goto(`${stack.cashier.url}/nowhere`)
  await expect(page.getByTestId('not-found')).toBeVisible()
  await take('not-found')

  const { launch_url } = await createSession({ locale, theme })
  await page.goto(launch_url)
  await page.waitForURL('**/c/**')
  await page.context().clearCookies()
  await page.goto(launch_url)
  await expect(page.getByRole('heading')).toBeVisible()
  await take('launch-error')

  await refuseCookies(page)
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession()).launch_token,
    head: '<style>body { margin: 0 }</style>',
  })
  await host.mount('cashier', { locale, theme })
  await expect(host.cashier('cashier').getByTestId('cookies-blocked').getByRole('link')).toBeVisible()
  await take('cookies-blocked')
})
