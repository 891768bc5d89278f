/** In the merchant's page, on a phone: networks whose addresses have a tag or memo. */
import type { Page } from 'playwright/test'
import { RIPPLE_ADDRESS, startTagGateway, STELLAR_ADDRESS } from '../fixtures/tag-gateway.ts'
import type { LocalServer } from '../fixtures/serve-locally.ts'
import type { StackOptions } from '../fixtures/stack.ts'
import { expect, test as base, type TestFixtures } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

const test = base.extend<object, { gateway: LocalServer; stackOptions: StackOptions }>({
  gateway: [
    async ({}, use) => {
      const gateway = await startTagGateway()
      await use(gateway)
      await gateway.close()
    },
    { scope: 'worker' },
  ],
  stackOptions: [
    async ({ gateway }, use) => {
      await use({
        cashier: {
          GATEWAY_BASE_URL: gateway.url,
          MERCHANT_AUTHORIZE_URL: `${gateway.url}/authorize`,
          MERCHANT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
        },
      })
    },
    { scope: 'worker' },
  ],
})

test.use({ viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] })
test.describe.configure({ mode: 'default' })

async function openXrp({ openCashier, embedded }: Pick<TestFixtures, 'openCashier' | 'embedded'>): Promise<Cashier> {
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.pick('XRP', 'XRP Ledger')
  return cashier
}

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

test('an address and its tag are shown and copied separately', async ({ page, openCashier, embedded }) => {
  const cashier = await openXrp({ openCashier, embedded })
  expect(await cashier.deposit.address()).toBe(RIPPLE_ADDRESS)
  await expect(embedded.getByTestId('tag')).toHaveText('4711')
  await expect(embedded.getByText('Send with the address and with this tag or memo.')).toBeVisible()
  await cashier.deposit.copy().click()
  await expect.poll(() => copied(page)).toBe(RIPPLE_ADDRESS)
  await embedded.getByRole('button', { name: 'Copy: Tag or memo' }).click()
  await expect.poll(() => copied(page)).toBe('4711')

  await cashier.pick('XLM', 'Stellar')
  expect(await cashier.deposit.address()).toBe(STELLAR_ADDRESS)
  await expect(embedded.getByTestId('tag')).toHaveCount(0)
  await expect(embedded.getByText('This address needs no tag or memo.')).toBeVisible()
})

test('a withdrawal says that a tag cannot be sent, and does not join a second line to the address', async ({
  openCashier,
  embedded,
}) => {
  const cashier = await openXrp({ openCashier, embedded })
  await cashier.goTo('Withdraw')
  const note = embedded.locator('#withdraw-address-note')
  await expect(note).toContainText('On XRP Ledger many recipients, such as exchanges, also need a tag or memo')
  await cashier.withdraw.fill('5', `${RIPPLE_ADDRESS}\n12345`)
  await cashier.withdraw.review()
  await expect(note).toContainText('A tag or memo (12345) cannot be sent from here.')
  await expect(cashier.withdraw.form()).toBeVisible()

  await cashier.withdraw.fill('5', `${RIPPLE_ADDRESS}?dt=12345`)
  await expect(note).toContainText('The tag or memo in this address is 12345.')
  await cashier.withdraw.review()
  await expect(embedded.getByTestId('withdraw-review')).toContainText('Tag or memo12345')
  await cashier.backToForm()

  await cashier.withdraw.fill('5', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359')
  await expect(note).toContainText('This one looks like an address for Ethereum.')
  await cashier.withdraw.review()
  await expect(cashier.withdraw.alert()).toContainText('This one looks like an address for Ethereum.')
})
