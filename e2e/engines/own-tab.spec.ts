import { fund } from '../fixtures/money.ts'
import { engineTest as test } from './engine-test.ts'
import { engineExpect as expect } from './engine-expect.ts'
import { cookiesBlocked, type EngineCashier, type Mount, openTab } from './shop-view.ts'

test.beforeEach(({ shop, sites, engineName }) => {
  expect(shop.page).toBeDefined()
  // WebKit itself refuses the cookie.
  sites.refuseCookies(engineName !== 'webkit')
})

test('if the frame’s cookie is refused, the page says so and offers a new tab', async ({ shop, sites }) => {
  const refused = await shop.mount('left')
  await expect(cookiesBlocked(refused)).toContainText('Your browser blocks signing in here')
  await expect(cookiesBlocked(refused)).toContainText('The cashier works in a new tab.')
  await expect(cookiesBlocked(refused)).toContainText('Open in a new tab')
  expect(await shop.types('left')).toEqual([])

  sites.refuseCookies(false)
  const session = sites.sessions.at(-1) ?? ''
  await openTab(refused)
  const tab = await shop.newTab()
  expect(await tab.deposit.address()).toMatch(/\w{20}/)

  await sites.stack.cashier.api.endSession(session)
  await expect(tab.root.locator('[data-testid="session-ended"]')).toContainText('Your session has ended')
})

test('language and theme change on that page and in its tab', async ({ shop, sites }) => {
  const refused = await shop.mount('left', { locale: 'en', theme: 'light' })
  await expect(cookiesBlocked(refused)).toContainText('Open in a new tab')
  const html = refused.root.locator('html')
  await expect(html).toHaveAttribute('data-theme', 'light')

  await shop.update('left', { locale: 'de', theme: 'dark' })
  await expect(html).toHaveAttribute('lang', 'de')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  sites.refuseCookies(false)
  await cookiesBlocked(refused).getByRole('link', { name: 'In neuem Tab öffnen', exact: true }).click()
  const tab = await shop.newTab()
  await expect(tab.root.locator('html')).toHaveAttribute('lang', 'de')
  await expect(tab.root.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(tab.root.locator('h1')).toContainText('Einzahlen')
})

test('tabs of two users never mix', { tag: '@short' }, async ({ shop, sites, user }) => {
  sites.useSession((mount) => ({ user_reference_id: `${user}-${mount}` }))
  const openTabOf = async (name: Mount, amount: string): Promise<EngineCashier> => {
    const refused = await shop.mount(name)
    await expect(cookiesBlocked(refused)).toContainText('Open in a new tab')
    sites.refuseCookies(false)
    await openTab(refused)
    const tab = await shop.newTab()
    await tab.pick('USDT', 'Tron')
    await fund(sites.stack, `${user}-${name}`, amount)
    sites.refuseCookies(true)
    return tab
  }
  const left = await openTabOf('left', '11')
  const right = await openTabOf('right', '22')
  sites.refuseCookies(false)
  await expect(left.balance).toContainText('11')
  await expect(right.balance).toContainText('22')
})
