/** A merchant's backend reads the result of a user's actions on the page. */
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import { currencyOf } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { SandboxWidget } from '../../packages/testing/src/sandbox-widget.ts'

test("a purchase has the merchant's own data, and its deposit has the gateway's name of the merchant", async ({
  stack,
  user,
  openCashier,
  embedded,
}) => {
  const metadata = { order: 'A-17', lines: [{ sku: 'coin', count: 2 }] }
  const currency_ids = [await currencyOf(stack, 'USDT', 'Tron')]
  await openCashier({ flows: ['buy', 'history'], currency_ids, metadata })
  const cashier = new Cashier(embedded)
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  const widget = new SandboxWidget(cashier.buy.provider())
  await widget.identify('document')
  await widget.press('Pay, and deliver at once')
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'succeeded')
  await cashier.done()
  await cashier.goTo('History')
  await cashier.history.rows().first().click()
  await expect(cashier.history.details()).toContainText('Credit or debit card')
  // Never shown to the user, because the data belongs to the merchant.
  await expect(embedded.locator('body')).not.toContainText('A-17')

  const { api } = stack.cashier
  const events = async (kind: string) =>
    (await readMerchantFeed(api, user)).map(({ data }) => data).filter((data) => data.kind === kind)
  const purchases = await events('onramp')
  expect(purchases.map((data) => data.metadata)).toEqual(purchases.map(() => metadata))
  expect(purchases.at(-1)).toMatchObject({ status: 'succeeded', payment_method: 'CREDIT_DEBIT_CARD' })

  await expect.poll(async () => (await events('deposit')).at(-1)?.status).toBe('succeeded')
  // The list may report a deposit before its webhook does, and the list does not name the merchant.
  const node = {
    transaction_uuid: (await events('deposit'))[0]?.transaction_uuid,
    user_reference_id: user,
    cashier_status: 'succeeded',
    merchant_reference: expect.stringMatching(/./) as unknown,
  }
  await expect(async () => {
    const response = await api.call('GET', `/transactions?user_reference_id=${user}`)
    const list = (await response.json()) as { readonly edges: readonly { readonly node: object }[] }
    expect(list.edges.map((edge) => edge.node)).toMatchObject([node])
  }).toPass()
  for (const { source, merchant_reference } of await events('deposit'))
    if (source === 'webhook') expect(merchant_reference).toMatch(/./)
})
