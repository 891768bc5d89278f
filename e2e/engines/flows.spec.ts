import jsQr from 'jsqr'
import { expect } from 'playwright/test'
import { PNG } from 'pngjs'
import { z } from 'zod'
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { engineTest as test } from './engine-test.ts'
import { savedFile } from './saved-file.ts'

test(
  'launch, a deposit from the chain to the balance, and the history',
  { tag: '@short' },
  async ({ cashier, sites, user }) => {
    const { control } = sites.stack.sandbox
    await cashier.pick('USDT', 'Tron')
    expect(await cashier.address()).toMatch(/^T\w{33}$/)
    await cashier.view.shows('footer', 'Live')

    const uuid = await control.detectDeposit({
      user_reference: user,
      currency_id: await currencyOf(sites.stack, 'USDT', 'Tron'),
      amount: '12.345678',
    })
    await cashier.view.shows(cashier.deposit, 'Confirming')
    await control.confirmDeposit(uuid)
    await cashier.view.shows(cashier.deposit, 'Credited')
    await cashier.view.shows(cashier.balance, '12.345678')

    await cashier.goTo('History')
    await cashier.view.shows(cashier.transaction, '12.345678')
    expect(await cashier.view.count(cashier.transaction)).toBe(1)
  },
)

test('a withdrawal until it is settled', async ({ cashier, sites, user }) => {
  await fund(sites.stack, user, '100')
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Withdraw')
  await cashier.view.shows(cashier.balance, '100')
  await cashier.withdraw('25', TRON_ADDRESS)
  await cashier.view.shows(cashier.outcome, 'Processing')

  const { withdrawals } = (await sites.stack.sandbox.control.call('GET', `/withdrawals?user_reference=${user}`)) as {
    withdrawals: { transaction_uuid: string }[]
  }
  expect(withdrawals).toHaveLength(1)
  await sites.stack.sandbox.control.call('POST', `/withdrawals/${withdrawals[0]?.transaction_uuid ?? ''}/complete`)
  await cashier.view.shows(cashier.outcome, 'Your withdrawal is complete.')
  await cashier.view.shows(cashier.balance, '75')
})

test('a purchase is paid in the provider’s frame, which returns to the cashier', async ({ cashier, sites, user }) => {
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Buy')
  await cashier.buy('80', 'France')
  const provider = cashier.provider()
  await provider.press('button', 'Continue')
  await provider.press('button', 'Turn on the camera')
  await provider.shows('.identity', 'There is no camera, or its use is not allowed.')
  await provider.press('button', 'Continue without a camera')
  await provider.press('button', /^Pay €80/)
  // The provider's last page returns by itself after some seconds.
  await expect.poll(() => cashier.view.count('iframe'), { timeout: 30_000 }).toBe(0)
  const { control } = sites.stack.sandbox
  const { sessions } = (await control.call('GET', `/onramp-sessions?user_reference=${user}`)) as {
    sessions: { session_reference: string }[]
  }
  await control.call('POST', `/onramp-sessions/${sessions[0]?.session_reference ?? ''}/succeeded`, {
    to_amount: '77.25',
  })
  await cashier.view.shows(cashier.purchase, '77.25')
  await expect.poll(() => cashier.status(cashier.purchase), { timeout: 30_000 }).toBe('succeeded')
  await cashier.view.press('button', 'Done')
  await cashier.goTo('History')
  await cashier.view.shows(cashier.transaction, 'Purchase')
})

test('the address is copied', async ({ cashier, shop }) => {
  await cashier.pick('USDT', 'Tron')
  const address = await cashier.address()
  await cashier.view.press('button', 'Copy address')
  await cashier.view.shows(cashier.copy, 'Address copied')
  await shop.page.type('Notes', '\uE009v')
  expect(await shop.page.evaluate('return document.querySelector("textarea").value', z.string())).toBe(address)
})

test('the history is saved as CSV, and the QR code as a picture', async ({ cashier, engine, sites, user }) => {
  await cashier.pick('USDT', 'Tron')
  const address = await cashier.address()
  await cashier.view.press('button', 'Save QR code as a picture')
  const picture = PNG.sync.read(await savedFile(engine, /\.png$/))
  expect(jsQr(new Uint8ClampedArray(picture.data), picture.width, picture.height)?.data).toBe(address)

  await fund(sites.stack, user, '0.000001')
  await cashier.goTo('History')
  await cashier.view.shows(cashier.transaction, '0.000001')
  await cashier.view.press('button', 'Save as CSV')
  expect((await savedFile(engine, /\.csv$/)).toString()).toContain('0.000001')
})
