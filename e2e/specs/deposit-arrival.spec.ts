/** The arrival of a deposit is shown where its user looks. */
import { currencyOf } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { reloadFrame } from '../views/scrolled-host.ts'

test.describe('in the merchant’s page on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a detected deposit is shown above the address and in the header, and gets a tick when it is credited', async ({
    stack,
    user,
    openUsdt,
  }) => {
    const cashier = await openUsdt()
    const at = (id: string) => cashier.root.getByTestId(id)
    await expect(at('address')).toBeVisible()
    await expect(at('arrivals')).toHaveCount(0)
    await expect(at('on-the-way')).toHaveCount(0)
    const detect = async (code: string, network: string, amount: string): Promise<string> =>
      stack.sandbox.control.detectDeposit({
        user_reference: user,
        currency_id: await currencyOf(stack, code, network),
        amount,
      })

    const first = await detect('USDT', 'Tron', '40.5')
    await expect(at('arrivals')).toHaveText('40.5 USDT detected, confirming')
    const second = await detect('USDT', 'Tron', '1.5')
    await detect('USDT', 'Ethereum', '7')
    await expect(at('arrivals').locator('li')).toHaveText([
      '7 USDT on Ethereum detected, confirming',
      '42 USDT detected, confirming',
    ])
    await expect(at('on-the-way')).toHaveText('42\u00a0USDT on the way')
    // On the first screen of a phone, and above the address.
    await expect(at('arrivals')).toBeInViewport({ ratio: 1 })
    const [bar, address] = await Promise.all([at('arrivals').boundingBox(), at('address').boundingBox()])
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThan(address?.y ?? 0)

    await cashier.goTo('Withdraw')
    await expect(at('on-the-way')).toHaveText('42\u00a0USDT on the way')
    await cashier.goTo('Deposit')
    await stack.sandbox.control.confirmDeposit(first)
    await stack.sandbox.control.confirmDeposit(second)
    await expect(at('credited')).toHaveText('42 USDT credited')
    await expect(at('credited').locator('svg')).toBeVisible()
    await expect(at('on-the-way')).toHaveCount(0)
    await expect(cashier.balance).toContainText('42 USDT')
    await expect(at('arrivals').locator('li')).toHaveText([
      '7 USDT on Ethereum detected, confirming',
      '42 USDT credited',
    ])
  })

  test('a deposit that is on its way when the page loads is shown from the start', async ({
    page,
    stack,
    user,
    openCashier,
    openUsdt,
  }) => {
    const cashier = await openUsdt()
    await stack.sandbox.control.detectDeposit({
      user_reference: user,
      currency_id: await currencyOf(stack, 'USDT', 'Tron'),
      amount: '3',
    })
    await expect(cashier.root.getByTestId('arrivals')).toBeVisible()
    await reloadFrame(page)
    await expect(cashier.root.getByTestId('arrivals')).toHaveText('3 USDT detected, confirming')
    await expect(cashier.root.getByTestId('on-the-way')).toHaveText('3\u00a0USDT on the way')
    // The merchant's page loads again, and starts another session.
    await openCashier()
    await cashier.pick('USDT', 'Tron')
    await expect(cashier.root.getByTestId('arrivals')).toHaveText('3 USDT detected, confirming')
    await expect(cashier.deposit.step()).toHaveText('Confirming')
  })
})

// At top level, because a tab does not show the title of a frame.
test('the title of the tab shows the deposit until another flow is opened', async ({
  page,
  stack,
  user,
  openOnTop,
}) => {
  await openOnTop()
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await expect(cashier.connection).toContainText('Live')
  await expect(page).toHaveTitle('Deposit · Cashier')
  const uuid = await stack.sandbox.control.detectDeposit({
    user_reference: user,
    currency_id: await currencyOf(stack, 'USDT', 'Tron'),
    amount: '42',
  })
  await expect(page).toHaveTitle('42 USDT detected, confirming · Cashier')
  await stack.sandbox.control.confirmDeposit(uuid)
  await expect(page).toHaveTitle('42 USDT credited · Cashier')
  await cashier.goTo('Withdraw')
  await expect(page).toHaveTitle('Withdraw · Cashier')
  await expect(page.getByTestId('credited')).toHaveCount(0)
})
