import { expect } from 'playwright/test'
import { fund } from '../fixtures/money.ts'
import { engineTest as test } from './engine-test.ts'
import { NOTHING } from './view.ts'

test('language and theme change without a reload', async ({ shop }) => {
  const cashier = await shop.launch('left', { locale: 'de-AT', theme: 'light' })
  await expect.poll(() => cashier.view.attribute('html', 'lang')).toBe('de')
  await cashier.view.evaluate('document.documentElement.dataset.same = "yes"', NOTHING)
  await shop.update('left', { locale: 'ar', theme: 'dark' })
  await expect.poll(() => cashier.view.attribute('html', 'lang')).toBe('ar')
  expect(await cashier.view.attribute('html', 'dir')).toBe('rtl')
  expect(await cashier.view.attribute('html', 'data-theme')).toBe('dark')
  expect(await cashier.view.attribute('html', 'data-same')).toBe('yes')
})

test('when a session ends, the shop starts another', async ({ shop, sites }) => {
  const before = sites.sessions.length
  const cashier = await shop.launch()
  await sites.stack.cashier.api.endSession(sites.sessions.at(-1) ?? '')
  await expect.poll(() => shop.types('left'), { timeout: 30_000 }).toEqual(['ready', 'session_ended', 'ready'])
  expect(await cashier.address()).toMatch(/\w{20}/)
  expect(sites.sessions.length - before).toBe(2)
})

test('two cashiers for two users never mix', async ({ shop, sites, user }) => {
  sites.useSession((mount) => ({ user_reference_id: `${user}-${mount}` }))
  const [left, right] = [await shop.launch('left'), await shop.launch('right', { theme: 'dark' })]
  await fund(sites.stack, `${user}-left`, '11')
  await fund(sites.stack, `${user}-right`, '22')
  for (const cashier of [left, right]) await cashier.pick('USDT', 'Tron')
  await left.view.shows(left.balance, '11')
  await right.view.shows(right.balance, '22')
  for (const cashier of [left, right]) await cashier.goTo('History')
  await left.view.shows(left.transaction, '11')
  await right.view.shows(right.transaction, '22')
  expect([await left.view.count(left.transaction), await right.view.count(right.transaction)]).toEqual([1, 1])
  expect(await left.view.attribute('html', 'data-theme')).toBe('auto')
  expect(await right.view.attribute('html', 'data-theme')).toBe('dark')
  await shop.destroy('left')
  expect(await shop.page.count('iframe')).toBe(1)
})
