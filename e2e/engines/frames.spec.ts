import { fund } from '../fixtures/money.ts'
import { engineTest as test } from './engine-test.ts'
import { engineExpect as expect } from './engine-expect.ts'

test('language and theme change without a reload', async ({ shop }) => {
  const cashier = await shop.launch('left', { locale: 'de-AT', theme: 'light' })
  const html = cashier.root.locator('html')
  await expect(html).toHaveAttribute('lang', 'de')
  await html.evaluate((element) => {
    element.dataset['same'] = 'yes'
  })
  await shop.update('left', { locale: 'ar', theme: 'dark' })
  await expect(html).toHaveAttribute('lang', 'ar')
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  expect(await html.getAttribute('data-same')).toBe('yes')
})

test('when a session ends, the shop starts another', async ({ shop, sites }) => {
  const before = sites.sessions.length
  const cashier = await shop.launch()
  await sites.stack.cashier.api.endSession(sites.sessions.at(-1) ?? '')
  await expect.poll(() => shop.types('left')).toEqual(['ready', 'session_ended', 'ready'])
  expect(await cashier.deposit.address()).toMatch(/\w{20}/)
  expect(sites.sessions.length - before).toBe(2)
})

test('two cashiers for two users never mix', { tag: '@short' }, async ({ shop, sites, user }) => {
  sites.useSession((mount) => ({ user_reference_id: `${user}-${mount}` }))
  const [left, right] = [await shop.launch('left'), await shop.launch('right', { theme: 'dark' })]
  await fund(sites.stack, `${user}-left`, '11')
  await fund(sites.stack, `${user}-right`, '22')
  for (const cashier of [left, right]) await cashier.pick('USDT', 'Tron')
  await expect(left.balance).toContainText('11')
  await expect(right.balance).toContainText('22')
  for (const cashier of [left, right]) await cashier.goTo('history')
  await expect(left.history.rows()).toContainText('11')
  await expect(right.history.rows()).toContainText('22')
  await expect(left.root.locator('html')).toHaveAttribute('data-theme', 'auto')
  await expect(right.root.locator('html')).toHaveAttribute('data-theme', 'dark')
  await shop.destroy('left')
  await expect(shop.page.locator('iframe')).toHaveCount(1)
})
