import { MERCHANT_REFERENCE } from '../fixtures/keys.ts'
import { BITCOIN_ADDRESS, TRON_ADDRESS } from '../fixtures/money.ts'
import { purchaseOfUser } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

test('the form leads to the provider’s page', async ({ page, context, stack, openOnTop }) => {
  await context.grantPermissions(['camera'])
  await openOnTop()
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  const provider = cashier.buy.provider()
  await expect(provider.getByText('Germany')).toBeVisible()
  const frame = page.locator('iframe')
  await expect(frame).toHaveAttribute(
    'allow',
    new RegExp(`^camera ${stack.sandbox.url} http://127\\.0\\.0\\.1:\\d+; microphone `),
  )
  expect((await frame.boundingBox())?.height).toBeGreaterThanOrEqual(650)
  await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', /^http/)
  await expect(cashier.buy.purchase()).toContainText('Waiting for payment')
})

test('each status of the gateway is shown, and the purchase is in the balance, to be withdrawn', async ({
  page,
  stack,
  user,
  openOnTop,
}) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'France')
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toBeVisible()
  const reference = await purchaseOfUser(stack, user)
  await stack.sandbox.control.call('POST', `/onramp-sessions/${reference}/processing`)
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'processing')
  await stack.sandbox.control.call('POST', `/onramp-sessions/${reference}/succeeded`, { to_amount: '77.25' })
  await expect(cashier.buy.purchase()).toContainText('77.25')
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'succeeded')
  await expect(cashier.balance).toContainText('77.25')
  await cashier.done()
  await cashier.goTo('Withdraw')
  await page.getByRole('button', { name: 'Max' }).click()
  await expect(page.getByLabel('Amount')).toHaveValue('77.25')
  await cashier.goTo('History')
  await expect(cashier.history.rows()).toHaveCount(1)
  await expect(cashier.history.rows()).toContainText('Purchase')
})

test('the return page says nothing about the result', async ({ page, stack }) => {
  await page.goto(`${stack.cashier.url}/onramp/return`)
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(page.getByText('has not confirmed your payment to us yet')).toBeVisible()
})

test('a country set by the merchant cannot be changed', async ({ page, openOnTop }) => {
  await openOnTop({ country: 'FR' })
  const cashier = new Cashier(page)
  await cashier.goTo('Buy')
  await expect(page.getByLabel('Country')).toHaveValue('FR')
  await expect(page.getByLabel('Country')).toBeDisabled()
})

test('a currency that the provider does not sell says so, and offers the others', async ({
  page,
  openOnTop,
  consoleFaults,
}) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await cashier.pick('LINK', 'Ethereum')
  await cashier.goTo('Buy')
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  await expect(page.getByTestId('buy-form').getByRole('alert')).toContainText(
    'LINK on Ethereum cannot be bought here at the moment.',
  )
  await page.getByRole('button', { name: 'Choose another currency' }).click()
  await page.getByRole('combobox', { name: 'Search by name, ticker or network' }).fill('USDT')
  await page.getByRole('option', { name: /USDT.*Tron/s }).click()
  await expect(page.getByRole('button', { name: /^Currency: USDT .* on Tron$/ })).toBeVisible()
  await expect(cashier.buy.form().getByRole('alert')).toHaveCount(0)
  await expect(page.getByLabel('You pay')).toHaveValue('150')
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toBeVisible()
  consoleFaults.length = 0
})

test('an amount has at most the digits of its currency', async ({ page, openOnTop }) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy.fill('10.1234', 'Germany')
  await expect(page.getByText('EUR takes at most 2 digits after the decimal mark.')).toBeVisible()
  await cashier.buy.start()
  await expect(page.getByLabel('You pay')).toBeFocused()
  await page.getByLabel('Pay with').selectOption('JPY')
  await expect(page.getByText('JPY has no smaller unit: enter a whole amount.')).toBeVisible()
  await page.getByLabel('You pay').fill('1000')
  await cashier.buy.start()
  await expect(cashier.buy.purchase()).toBeVisible()
})

test(
  'the camera works after the provider’s link has redirected to another origin',
  { tag: '@whole-browser' },
  async ({ page, context, stack, openOnTop }) => {
    await context.grantPermissions(['camera'])
    await stack.sandbox.control.call('PATCH', '/modes', { widget_redirect: 'on' })
    await openOnTop()
    const cashier = new Cashier(page)
    await cashier.pick('USDT', 'Tron')
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

test('on a phone the provider’s page is as wide as ours, and as dark', async ({ page, openOnTop }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await openOnTop({ theme: 'auto' })
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  await expect(cashier.buy.provider().locator('html')).toHaveAttribute('data-theme', 'dark')
  expect((await page.locator('iframe').boundingBox())?.width).toBe(390)
})

test('a purchase to a wallet of one’s own is checked like a withdrawal, followed, and credited to nobody', async ({
  page,
  stack,
  user,
  openOnTop,
}) => {
  await stack.sandbox.control.call('PATCH', `/merchants/${MERCHANT_REFERENCE}`, { allow_custom_external_wallet: true })
  await openOnTop({ own_wallet: true })
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy.fill('80', 'France')
  await page.getByLabel('A wallet of your own').check()
  await cashier.buy.start()
  await expect(page.getByText('Enter an address.')).toBeVisible()
  await page.getByLabel('Address of your wallet').fill(BITCOIN_ADDRESS)
  await expect(page.getByText('This is an address of Bitcoin. You chose Tron.')).toBeVisible()
  await page.getByLabel('Address of your wallet').fill(TRON_ADDRESS)
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

test('without own_wallet there is no choice of a wallet', async ({ page, openOnTop }) => {
  await openOnTop()
  await new Cashier(page).goTo('Buy')
  await expect(page.getByLabel('You pay')).toBeVisible()
  await expect(page.getByLabel('A wallet of your own')).toHaveCount(0)
})
