import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import { currencyOf } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

test('a deposit is detected, confirmed and credited live', async ({ embedded, stack, user, openUsdt }) => {
  const cashier = await openUsdt({ flows: ['deposit', 'history'] })
  await expect(
    embedded.getByText('Send only USDT on the Tron network. Anything sent on another network is lost.'),
  ).toBeVisible()
  await expect(cashier.connection).toContainText('Live')

  const uuid = await stack.sandbox.control.detectDeposit({
    user_reference: user,
    currency_id: await currencyOf(stack, 'USDT', 'Tron'),
    amount: '123456789012345678.123456789012345678',
  })
  await expect(cashier.deposit.arrived()).toContainText('123,456,789,012,345,678.12345678\u2026')
  await expect(cashier.deposit.arrived()).toContainText('Confirming')
  await expect(cashier.balance).not.toContainText('123,456')

  await stack.sandbox.control.confirmDeposit(uuid)
  await expect(cashier.deposit.arrived()).toContainText('Credited')
  await expect(cashier.balance).toContainText('123,456,789,012,345,678.12345678\u2026')
  await expect(embedded.getByTestId('announcements')).toContainText('Credited')
})

test('the QR code has the address, in the dark theme too', async ({ embedded, openCashier }) => {
  await openCashier({ theme: 'dark' })
  const cashier = new Cashier(embedded)
  await cashier.pick('ETH', 'Ethereum')
  const address = await cashier.deposit.address()
  await expect(cashier.deposit.qr().locator('svg')).toBeVisible()

  const picture = PNG.sync.read(await cashier.deposit.qr().screenshot())
  const code = jsQr(new Uint8ClampedArray(picture.data), picture.width, picture.height)
  expect(code?.data).toBe(address)
  expect(picture.width).toBeGreaterThanOrEqual(180)
})

test('the address is copied without spaces', async ({ page, embedded, context, openCashier }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.pick('BTC', 'Bitcoin')
  const address = await cashier.deposit.address()
  await cashier.deposit.copy().click()
  await expect(embedded.getByRole('button', { name: 'Address copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
})

// At top level, because without scripts a merchant's page has no cashier.
test('the address stays the same, and is rendered without JavaScript', async ({
  page,
  context,
  browser,
  openOnTop,
}) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await cashier.pick('BTC', 'Bitcoin')
  const address = await cashier.deposit.address()

  const still = await browser.newContext({ javaScriptEnabled: false })
  await still.addCookies(await context.cookies())
  const plain = await still.newPage()
  // If the server is busy, the address comes after the rest of the page, and a script has to insert it.
  await expect(async () => {
    await plain.goto(page.url())
    // Nothing changes after the page has loaded.
    const shown = await plain.getByTestId('address').innerText({ timeout: 1000 })
    expect(shown.replace(/\s/g, '')).toBe(address)
    await expect(plain.getByTestId('qr').locator('svg')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await still.close()
})

test('the address of a chosen currency comes from one answer, and the page is not rendered again', async ({
  page,
  embedded,
  openCashier,
}) => {
  await openCashier({ flows: ['deposit'] })
  const cashier = new Cashier(embedded)
  await cashier.deposit.address()
  const asked: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    const renders = request.resourceType() === 'document' || 'rsc' in request.headers()
    if (renders || url.pathname.endsWith('/deposit-addresses')) asked.push(`${request.method()} ${url.pathname}`)
  })
  const answer = page.waitForResponse(/deposit-addresses$/)
  await cashier.pick('USDT', 'Tron')
  const { address } = (await (await answer).json()) as { readonly address: string }
  expect(await cashier.deposit.address()).toBe(address)
  await expect(cashier.deposit.qr().locator('svg')).toBeVisible()
  expect(asked).toEqual(['POST /api/cashier/deposit-addresses'])
})

test('the page keeps its currency when a deposit of another currency arrives', async ({
  embedded,
  stack,
  user,
  openCashier,
}) => {
  await openCashier()
  const cashier = new Cashier(embedded)
  const first = await cashier.deposit.address()
  await stack.sandbox.control.detectDeposit({
    user_reference: user,
    currency_id: await currencyOf(stack, 'USDC', 'Solana'),
    amount: '5',
    confirm: true,
  })
  await expect(cashier.deposit.arrived()).toContainText('Credited')
  expect(await cashier.deposit.address()).toBe(first)
})

test('the picker works with the keyboard alone', async ({ page, embedded, openCashier }) => {
  await openCashier()
  const button = embedded.getByRole('button', { name: /^Currency: / })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(embedded.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('polygon')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(embedded.getByRole('button', { name: /^Currency: .* on Polygon$/ })).toBeFocused()
})

test('the picker shows icons of known coins and networks instead of letters', async ({ embedded, openCashier }) => {
  await openCashier()
  await embedded.getByRole('button', { name: /^Currency: / }).click()
  for (const network of ['Tron', 'Ethereum', 'Bitcoin', 'Solana', 'Polygon']) {
    const option = embedded.getByRole('option', { name: new RegExp(`\\b${network}$`) }).first()
    for (const icon of await option.locator('svg').all()) {
      await expect(icon.locator('path').first()).toBeVisible()
      await expect(icon.locator('text')).toHaveCount(0)
    }
    await expect(option.locator('img')).toHaveCount(0)
  }
})

test('without DEPOSIT_LINKS there is no button to pay from another wallet', async ({ embedded, openCashier }) => {
  await openCashier({ flows: ['deposit'] })
  await new Cashier(embedded).deposit.address()
  await expect(embedded.getByRole('button', { name: 'Pay from another wallet' })).toHaveCount(0)
})

test('a picture of the QR code that the browser refuses to draw: the page says so', async ({
  page,
  embedded,
  openCashier,
}) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.toBlob = (take) => take(null)
  })
  await openCashier()
  await new Cashier(embedded).deposit.address()
  await embedded.getByRole('button', { name: 'Save QR code as a picture' }).click()
  await expect(embedded.getByRole('main').getByRole('alert')).toHaveText(/^Nothing is lost\. Please try again/)
  await expect(embedded.getByTestId('announcements')).not.toContainText('saved')
})
