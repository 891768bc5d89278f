import type { FrameLocator } from 'playwright/test'
import { MERCHANT_REFERENCE } from '../fixtures/keys.ts'
import { BITCOIN_ADDRESS, TRON_ADDRESS } from '../fixtures/money.ts'
import { purchaseOfUser } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { webhookHeaders } from '../system/gateway-signature.ts'
import { Cashier } from '../views/cashier.ts'

test('the form leads to the provider’s page', async ({ embedded, context, stack, openUsdt }) => {
  await context.grantPermissions(['camera'])
  const cashier = await openUsdt()
  await cashier.goTo('Buy')
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  const provider = cashier.buy.provider()
  await expect(provider.getByText('Germany')).toBeVisible()
  const frame = embedded.locator('iframe')
  await expect(frame).toHaveAttribute(
    'allow',
    new RegExp(`^camera ${stack.sandbox.url} http://127\\.0\\.0\\.1:\\d+; microphone `),
  )
  expect((await frame.boundingBox())?.height).toBeGreaterThanOrEqual(650)
  await expect(embedded.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', /^http/)
  await expect(cashier.buy.purchase()).toContainText('Waiting for payment')
})

/** USDT for 80 EUR, begun in France. */
async function startPurchase(embedded: FrameLocator): Promise<Cashier> {
  const cashier = new Cashier(embedded)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'France')
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toBeVisible()
  return cashier
}

test('each status of the gateway is shown, and the purchase is in the balance and can be withdrawn', async ({
  embedded,
  stack,
  user,
  openCashier,
}) => {
  await openCashier()
  const cashier = await startPurchase(embedded)
  const reference = await purchaseOfUser(stack, user)
  await stack.sandbox.control.call('POST', `/onramp-sessions/${reference}/processing`)
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'processing')
  await stack.sandbox.control.call('POST', `/onramp-sessions/${reference}/succeeded`, { to_amount: '77.25' })
  await expect(cashier.buy.purchase()).toContainText('77.25')
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'succeeded')
  await expect(cashier.balance).toContainText('77.25')
  await cashier.done()
  await cashier.goTo('Withdraw')
  await embedded.getByRole('button', { name: 'Max' }).click()
  await expect(embedded.getByLabel('Amount')).toHaveValue('77.25')
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(1)
  await expect(cashier.history.rows()).toContainText('Purchase')
})

test('a purchase whose events name no user is not said to be in the balance, which its deposit alone changes', async ({
  embedded,
  stack,
  user,
  openCashier,
}) => {
  const { control } = stack.sandbox
  // The test sends its own event.
  await control.fault({ target: 'webhooks', kind: 'drop', times: 'always', match: { user_reference: user } })
  await openCashier()
  const cashier = await startPurchase(embedded)
  const reference = await purchaseOfUser(stack, user)
  const { session } = (await control.call('GET', `/onramp-sessions/${reference}`)) as {
    session: { correlation_key: string }
  }
  const uuid = crypto.randomUUID()
  const body = JSON.stringify({
    event: 'User Onramp',
    transaction: {
      id: uuid,
      status: 'succeeded',
      transaction_type: 'onramp',
      date: new Date().toISOString(),
      provider_transaction_id: `p-${uuid}`,
      tx_hash: uuid.replaceAll('-', '').repeat(2),
      to_amount: 77.25,
      to_currency: { code: 'USDT', name: 'Tether USD', network: 'Tron' },
      from_amount: 80,
      from_currency: 'EUR',
    },
    transaction_uuid: uuid,
    user_reference: null,
    payment_method: 'card',
    correlation_key: session.correlation_key,
    session_reference: reference,
  })
  const answer = await fetch(`${stack.cashier.url}/api/webhooks/gateway`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...webhookHeaders(stack.sandbox.env['SANDBOX_GATEWAY_PRIVATE_KEY'] ?? '', body),
    },
    body,
  })
  expect(await answer.json()).toEqual({ received: true, duplicate: false })
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'succeeded')
  await expect(cashier.buy.purchase()).toContainText('The provider has sent your purchase to your account here.')
  await expect(cashier.balance).not.toContainText('77.25')
})

test('the return page says nothing about the result', async ({ page, stack }) => {
  await page.goto(`${stack.cashier.url}/onramp/return`)
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(page.getByText('has not confirmed your payment to us yet')).toBeVisible()
})

test('a country set by the merchant cannot be changed', async ({ embedded, openCashier }) => {
  await openCashier({ country: 'FR' })
  const cashier = new Cashier(embedded)
  await cashier.goTo('Buy')
  await expect(embedded.getByLabel('Country')).toHaveValue('FR')
  await expect(embedded.getByLabel('Country')).toBeDisabled()
})

test('for a currency that the provider does not sell, the page says so and offers the others', async ({
  embedded,
  openCashier,
  consoleFaults,
}) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.pick('LINK', 'Ethereum')
  await cashier.goTo('Buy')
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  await expect(embedded.getByTestId('buy-form').getByRole('alert')).toContainText(
    'LINK on Ethereum cannot be bought here at the moment.',
  )
  await embedded.getByRole('button', { name: 'Choose another currency' }).click()
  await embedded.getByRole('combobox', { name: 'Search by name, ticker or network' }).fill('USDT')
  await embedded.getByRole('option', { name: /USDT.*Tron/s }).click()
  await expect(embedded.getByRole('button', { name: /^Currency: USDT .* on Tron$/ })).toBeVisible()
  await expect(cashier.buy.form().getByRole('alert')).toHaveCount(0)
  await expect(embedded.getByLabel('You pay')).toHaveValue('150')
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toBeVisible()
  consoleFaults.length = 0
})

test('an amount has at most as many digits as its currency', async ({ embedded, openUsdt }) => {
  const cashier = await openUsdt()
  await cashier.goTo('Buy')
  await cashier.buy.fill('10.1234', 'Germany')
  await expect(embedded.getByText('EUR takes at most 2 digits after the decimal mark.')).toBeVisible()
  await cashier.buy.start()
  await expect(embedded.getByLabel('You pay')).toBeFocused()
  await embedded.getByLabel('Pay with').selectOption('JPY')
  await expect(embedded.getByText('JPY has no smaller unit: enter a whole amount.')).toBeVisible()
  await embedded.getByLabel('You pay').fill('1000')
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toBeVisible()
})

test(
  'the camera works after the provider’s link has redirected to another origin',
  { tag: '@whole-browser' },
  async ({ page, context, stack, openUsdt }) => {
    await context.grantPermissions(['camera'])
    await stack.sandbox.control.call('PATCH', '/modes', { widget_redirect: 'on' })
    const cashier = await openUsdt()
    await cashier.goTo('Buy')
    await cashier.buy.fill('150', 'Germany')
    await cashier.buy.start()
    const provider = cashier.buy.provider()
    await provider.getByRole('button', { name: 'Continue' }).click()
    const frame = page.frames().find((one) => one.url().includes('/widget/'))
    expect(frame?.url()).toMatch(/^http:\/\/127\.0\.0\.1:/)
    const asked = await frame?.evaluate(() =>
      navigator.mediaDevices.getUserMedia({ video: true }).then(
        (stream) => stream.getVideoTracks().length,
        (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
      ),
    )
    expect(asked).toBe(1)
    await stack.sandbox.control.call('PATCH', '/modes', { widget_redirect: 'off' })
  },
)

test('on a phone the provider’s page is as wide as ours, and as dark', async ({ page, embedded, openUsdt }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const cashier = await openUsdt({ theme: 'auto' })
  await cashier.goTo('Buy')
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  await expect(cashier.buy.provider().locator('html')).toHaveAttribute('data-theme', 'dark')
  expect((await embedded.locator('iframe').boundingBox())?.width).toBe(390)
})

test('a purchase to the user’s own wallet is checked like a withdrawal, followed, and credited to nobody', async ({
  embedded,
  stack,
  user,
  openUsdt,
}) => {
  await stack.sandbox.control.call('PATCH', `/merchants/${MERCHANT_REFERENCE}`, { allow_custom_external_wallet: true })
  const cashier = await openUsdt({ own_wallet: true })
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'France')
  await embedded.getByLabel('Your own wallet').check()
  await cashier.buy.start()
  await expect(embedded.getByText('Enter an address.')).toBeVisible()
  await embedded.getByLabel('Your wallet address').fill(BITCOIN_ADDRESS)
  await expect(embedded.getByText('This address is for Bitcoin. You chose Tron.')).toBeVisible()
  await embedded.getByLabel('Your wallet address').fill(TRON_ADDRESS)
  await cashier.buy.start()
  await expect(cashier.buy.provider().getByText(TRON_ADDRESS)).toBeVisible()

  const { sessions } = (await stack.sandbox.control.call('GET', '/onramp-sessions')) as {
    sessions: { session_reference: string; custom_wallet_address: string | null; user_reference: string | null }[]
  }
  const session = sessions.find((one) => one.custom_wallet_address === TRON_ADDRESS)
  expect(session?.user_reference).toBeNull()
  const reference = session?.session_reference ?? ''
  await stack.sandbox.control.call('POST', `/onramp-sessions/${reference}/processing`)
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'processing')
  await stack.sandbox.control.call('POST', `/onramp-sessions/${reference}/succeeded`, { to_amount: '77.25' })
  await expect(cashier.buy.purchase()).toContainText('The provider has sent your purchase to your own wallet.')
  expect(await stack.cashier.api.call('GET', `/users/${user}/balances`).then((response) => response.json())).toEqual({
    balances: [],
  })
})

test('without own_wallet there is no choice of a wallet', async ({ embedded, openCashier }) => {
  await openCashier()
  await new Cashier(embedded).goTo('Buy')
  await expect(embedded.getByLabel('You pay')).toBeVisible()
  await expect(embedded.getByLabel('Your own wallet')).toHaveCount(0)
})
