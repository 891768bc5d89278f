import { expect } from 'playwright/test'
import { fund } from '../fixtures/money.ts'
import { engineTest as test } from './engine-test.ts'

test.beforeEach(({ shop, sites, engineName }) => {
  expect(shop.page).toBeDefined()
  // WebKit refuses the cookie itself.
  sites.refuseCookies(engineName !== 'webkit')
})

test('where the frame’s cookie is refused, the page says so and offers a tab of its own', async ({ shop, sites }) => {
  const refused = await shop.mount('left')
  await refused.view.shows(refused.cookiesBlocked, 'Your browser blocks signing in here')
  await refused.view.shows(refused.cookiesBlocked, 'It works in a new tab.')
  await refused.view.shows(refused.cookiesBlocked, 'Open in a new tab')
  expect(await shop.types('left')).toEqual([])

  sites.refuseCookies(false)
  await refused.view.press('link', 'Open in a new tab')
  const tab = await shop.newTab()
  expect(await tab.address()).toMatch(/\w{20}/)

  await sites.stack.cashier.api.endSession(sites.sessions.at(-1) ?? '')
  await tab.view.shows(tab.sessionEnded, 'Your session has ended')
})

test('tabs of two users never mix', async ({ shop, sites, user }) => {
  sites.useSession((mount) => ({ user_reference_id: `${user}-${mount}` }))
  const tabs = []
  for (const name of ['left', 'right'] as const) {
    const refused = await shop.mount(name)
    await refused.view.shows(refused.cookiesBlocked, 'Open in a new tab')
    sites.refuseCookies(false)
    await refused.view.press('link', 'Open in a new tab')
    const tab = await shop.newTab()
    await tab.pick('USDT', 'Tron')
    tabs.push(tab)
    await fund(sites.stack, `${user}-${name}`, name === 'left' ? '11' : '22')
    sites.refuseCookies(true)
  }
  sites.refuseCookies(false)
  const [left, right] = tabs
  await left?.view.shows(left.balance, '11')
  await right?.view.shows(right.balance, '22')
})
