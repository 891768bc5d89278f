/** Language and theme of the merchant's page reach every page of the frame, and the tab that it opens. */
import type { Route } from 'playwright/test'
import { refuseCookies } from '../fixtures/refuse-cookies.ts'
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'

test(
  'if cookies are blocked, the frame offers a new tab, in the language and theme of the merchant’s page',
  { tag: '@whole-browser' },
  async ({ page, stack, createSession, context, consoleFaults }) => {
    const sessions: string[] = []
    await refuseCookies(page)
    const host = await HostPage.onMerchant(page, stack, {
      token: async () => {
        const { launch_token, session_id } = await createSession({ locale: 'es', theme: 'auto' })
        sessions.push(session_id)
        return launch_token
      },
    })
    await host.mount('cashier', { locale: 'de-AT', theme: 'dark' })
    const html = host.cashier('cashier').locator('html')
    const link = host.cashier('cashier').getByTestId('cookies-blocked').getByRole('link')
    await expect(link).toHaveText('In neuem Tab öffnen')
    await expect(link).toHaveAttribute('href', /^\/launch\?token=[^&]+&locale=de-AT&theme=dark$/)
    await expect(link).toHaveAttribute('target', '_blank')
    expect(sessions).toHaveLength(2)
    expect(await host.types('cashier')).toEqual([])

    await host.update('cashier', { locale: 'ar', theme: 'light' })
    await expect(html).toHaveAttribute('lang', 'ar')
    await expect(html).toHaveAttribute('dir', 'rtl')
    await expect(html).toHaveAttribute('data-theme', 'light')
    await expect(link).toHaveAttribute('href', /&locale=ar&theme=light$/)
    expect(sessions).toHaveLength(2)

    await page.unroute('**/launch')
    const used = (await link.getAttribute('href')) ?? ''
    const opening = context.waitForEvent('page')
    await link.click()
    const tab = await opening
    await tab.waitForURL(`**/c/${sessions[1] ?? ''}**`)
    await expect(tab.locator('html')).toHaveAttribute('lang', 'ar')
    await expect(tab.locator('html')).toHaveAttribute('data-theme', 'light')
    await expect(tab.getByRole('link', { name: 'إيداع' })).toBeVisible()

    // A user who closes that tab and comes back gets another link.
    await tab.close()
    await expect(link).toBeVisible()
    await expect(link).not.toHaveAttribute('href', used)
    expect(sessions).toHaveLength(3)
    // Of the page that was drawn before it was known that its calls lack the cookie.
    expect(consoleFaults.filter((fault) => !fault.includes('401'))).toEqual([])
    consoleFaults.length = 0
  },
)

test('a failed frame follows changes too, and of two languages the later one wins', async ({
  page,
  stack,
  createSession,
}) => {
  let working = false
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => {
      if (!working) throw new Error('signed out')
      return (await createSession()).launch_token
    },
  })
  await host.mount('cashier')
  const frame = host.cashier('cashier')
  await expect(frame.getByRole('button', { name: 'Try again' })).toBeVisible()
  await host.update('cashier', { locale: 'de', theme: 'dark' })
  await expect(frame.locator('html')).toHaveAttribute('data-theme', 'dark')
  working = true
  await frame.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(frame.getByRole('link', { name: 'Einzahlen' })).toBeVisible()
  await expect.poll(() => host.types('cashier')).toEqual(['error', 'ready'])

  const held: Route[] = []
  await page.route('**/messages/fr', (route) => void held.push(route))
  await host.update('cashier', { locale: 'fr' })
  await expect.poll(() => held.length).toBe(1)
  await host.update('cashier', { locale: 'es' })
  await expect(frame.locator('html')).toHaveAttribute('lang', 'es')
  const late = page.waitForResponse('**/messages/fr')
  await held[0]?.continue()
  await (await late).finished()
  await host.update('cashier', { theme: 'light' })
  await expect(frame.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(frame.locator('html')).toHaveAttribute('lang', 'es')
})
