import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { engineTest as test } from './engine-test.ts'
import { engineExpect as expect } from './engine-expect.ts'
import { savedFile } from './saved-file.ts'

test(
  'launch, a deposit from the chain to the balance, and the history',
  { tag: '@short' },
  async ({ cashier, sites, user }) => {
    const { control } = sites.stack.sandbox
    await cashier.pick('USDT', 'Tron')
    expect(await cashier.deposit.address()).toMatch(/^T\w{33}$/)
    await expect(cashier.connection).toContainText('Live')

    const uuid = await control.detectDeposit({
      user_reference: user,
      currency_id: await currencyOf(sites.stack, 'USDT', 'Tron'),
      amount: '12.345678',
    })
    await expect(cashier.deposit.arrived()).toContainText('Confirming')
    await control.confirmDeposit(uuid)
    await expect(cashier.deposit.arrived()).toContainText('Credited')
    await expect(cashier.balance).toContainText('12.345678')

    await cashier.goTo('history')
    await expect(cashier.history.rows()).toContainText('12.345678')
  },
)

test('a withdrawal until it is settled', { tag: '@short' }, async ({ cashier, sites, user }) => {
  await fund(sites.stack, user, '100')
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('withdraw')
  await expect(cashier.balance).toContainText('100')
  await cashier.withdraw.all('25', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')

  const { withdrawals } = (await sites.stack.sandbox.control.call('GET', `/withdrawals?user_reference=${user}`)) as {
    withdrawals: { transaction_uuid: string }[]
  }
  expect(withdrawals).toHaveLength(1)
  await sites.stack.sandbox.control.call('POST', `/withdrawals/${withdrawals[0]?.transaction_uuid ?? ''}/complete`)
  await expect(cashier.withdraw.outcome()).toContainText('Your withdrawal is complete.')
  await expect(cashier.balance).toContainText('75')
})

// This protects users of an engine that does not report what covers a button (docs/internal/browsers.md).
test('a large withdrawal is sent after the end of its address was typed', async ({ cashier, sites, user }) => {
  await fund(sites.stack, user, '500')
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('withdraw')
  await expect(cashier.balance).toContainText('500')
  const last = cashier.root.getByLabel('Last four characters of the address', { exact: true })
  const { control } = sites.stack.sandbox

  await cashier.withdraw.fill('101', TRON_ADDRESS)
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(last).toHaveAttribute('aria-invalid', 'true')
  expect(await control.calls({ operation: 'withdraw', user_reference: user })).toEqual([])

  await last.fill(TRON_ADDRESS.slice(-4))
  await expect(last).toHaveAttribute('aria-invalid', 'false')
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect(await control.calls({ operation: 'withdraw', user_reference: user })).toHaveLength(1)
})

test('a purchase is paid in the provider’s frame, which returns to the cashier', async ({ cashier, sites, user }) => {
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('buy')
  await cashier.buy.fill('80', 'FR')
  await cashier.buy.start()
  const provider = cashier.buy.provider()
  await provider.getByRole('button', { name: 'Continue', exact: true }).click()
  await provider.getByRole('button', { name: 'Turn on the camera', exact: true }).click()
  await expect(provider.locator('.identity')).toContainText('There is no camera, or its use is not allowed.')
  await provider.getByRole('button', { name: 'Continue without a camera', exact: true }).click()
  await provider.getByRole('button', { name: /^Pay €80/ }).click()
  // The provider's last page returns by itself after some seconds.
  await expect(cashier.root.locator('iframe')).toHaveCount(0)
  const { control } = sites.stack.sandbox
  const { sessions } = (await control.call('GET', `/onramp-sessions?user_reference=${user}`)) as {
    sessions: { session_reference: string }[]
  }
  await control.call('POST', `/onramp-sessions/${sessions[0]?.session_reference ?? ''}/succeeded`, {
    to_amount: '77.25',
  })
  await expect(cashier.buy.purchase()).toContainText('77.25')
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'succeeded')
  await cashier.done()
  await cashier.goTo('history')
  await expect(cashier.history.rows()).toContainText('Purchase')
})

test('the address is copied', async ({ cashier, shop }) => {
  await cashier.pick('USDT', 'Tron')
  const address = await cashier.deposit.address()
  await cashier.deposit.copy().click()
  await expect(cashier.root.locator('[data-testid="copy-address"]')).toContainText('Address copied')
  const notes = shop.page.getByLabel('Notes')
  await notes.press('Control+v')
  await expect(notes).toHaveValue(address)
})

test('if copying is refused, the address is selected', async ({ cashier }) => {
  await cashier.pick('USDT', 'Tron')
  const address = await cashier.deposit.address()
  const html = cashier.root.locator('html')
  await html.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
    Object.assign(document, { execCommand: () => false })
  })
  await cashier.deposit.copy().click()
  await expect(cashier.root.locator('main')).toContainText(
    'Copying is blocked here. The text is selected: copy it with your keyboard or a long press.',
  )
  expect(await html.evaluate(() => getSelection()?.toString())).toBe(address)
})

test('the history is saved as CSV, and the QR code as a picture', async ({ cashier, engine, sites, user }) => {
  await cashier.pick('USDT', 'Tron')
  const address = await cashier.deposit.address()
  await cashier.root.getByRole('button', { name: 'Save QR code as a picture', exact: true }).click()
  const picture = PNG.sync.read(await savedFile(engine, /\.png$/))
  expect(jsQr(new Uint8ClampedArray(picture.data), picture.width, picture.height)?.data).toBe(address)

  await fund(sites.stack, user, '0.000001')
  await cashier.goTo('history')
  await expect(cashier.history.rows()).toContainText('0.000001')
  await cashier.root.getByRole('button', { name: 'Save as CSV', exact: true }).click()
  expect((await savedFile(engine, /\.csv$/)).toString()).toContain('0.000001')
})

test('an address is scanned from a camera’s picture', async ({ cashier }) => {
  await cashier.pick('USDT', 'Tron')
  const address = await cashier.deposit.address()
  await cashier.deposit.qr().locator('svg').waitFor()
  // The camera shows the page's own QR code.
  await cashier.root.locator('[data-qr]').evaluate(async (svg) => {
    const picture = new Image()
    picture.src = `data:image/svg+xml;base64,${btoa(new XMLSerializer().serializeToString(svg))}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 640, height: 480 })
    const drawing = canvas.getContext('2d')
    const draw = (): void => {
      if (drawing === null) return
      drawing.fillStyle = '#ccc'
      drawing.fillRect(0, 0, 640, 480)
      drawing.drawImage(picture, 140, 60, 360, 360)
    }
    draw()
    setInterval(draw, 100)
    const getUserMedia = () => Promise.resolve(canvas.captureStream(10))
    Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
  })
  await cashier.goTo('withdraw')
  const field = cashier.root.getByLabel('To address', { exact: true })
  await field.click()
  await cashier.root.getByRole('button', { name: 'Scan', exact: true }).click()
  await expect(field).toHaveValue(address)
})
