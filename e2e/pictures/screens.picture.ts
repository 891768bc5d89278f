/** `npm run pictures`: each screen in each language and appearance, in the git-ignored folder `pictures/`. */
import { BITCOIN_ADDRESS, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { purchaseOfUser } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { type PictureArgs, pictures } from './picture-test.ts'

test.use({
  stackOptions: {
    cashier: { WITHDRAWAL_CONFIRM_ABOVE: 'USDT=500', DEPOSIT_LINKS: 'on', RATE_LIMIT: 'off' },
    sandbox: { SANDBOX_ALLOW_CUSTOM_EXTERNAL_WALLET: 'true' },
  },
})

/** An open cashier at USDT on Tron, with this balance. */
async function open({ stack, user, openCashier, cashier, locale, theme }: PictureArgs, balance?: string) {
  await openCashier({ locale, theme })
  await cashier.pick('USDT', 'Tron')
  if (balance === undefined) return
  await fund(stack, user, balance)
  await expect(cashier.deposit.arrived()).toBeVisible()
}

/** An empty form. */
async function newForm(args: PictureArgs) {
  await open(args)
  await args.cashier.goTo('withdraw')
}

pictures('deposits', async (args) => {
  const { page, embedded, stack, user, cashier, take } = args
  const { control } = stack.sandbox
  const match = { user_reference: user }
  await control.fault({ target: 'deposit_address', kind: 'error_before_commit', times: 'always', match })
  await args.openCashier({ locale: args.locale, theme: args.theme })
  await expect(embedded.getByTestId('reference')).toBeVisible()
  await take('problem')
  await control.clearFaults()

  await open(args)
  await cashier.goTo('history')
  await expect(embedded.getByTestId('empty')).toBeVisible()
  await take('history-empty')

  await cashier.goTo('deposit')
  await expect(embedded.getByTestId('qr').locator('svg')).toBeVisible()
  const { href } = await embedded.locator(':root').evaluate(() => location)
  const currency_id = new URL(href).searchParams.get('currency') ?? ''
  await control.detectDeposit({ user_reference: user, currency_id, amount: '1250.5' })
  await expect(cashier.deposit.arrived()).toBeVisible()
  await take('deposit')
  await embedded.getByTestId('currency-button').click()
  await expect(embedded.getByRole('option').first()).toBeVisible()
  await take('picker')
  await page.keyboard.press('Escape')
  await embedded
    .locator('section', { has: embedded.getByTestId('qr') })
    .getByRole('button')
    .last()
    .click()
  await expect(embedded.getByTestId('wallet-link')).toBeVisible()
  await take('wallet-link')
})

pictures('withdrawals', async (args) => {
  const { embedded, stack, user, cashier, take } = args
  const { control } = stack.sandbox
  await open(args, '1250.5')
  const outcome = async (status: string): Promise<void> =>
    expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', status)

  await newForm(args)
  await cashier.withdraw.fill('2500', BITCOIN_ADDRESS)
  await cashier.withdraw.review()
  await take('withdraw-faults')
  await cashier.withdraw.fill('250', TRON_ADDRESS)
  await take('withdraw')
  await cashier.withdraw.review()
  await expect(embedded.getByTestId('withdraw-review')).toBeVisible()
  await take('review')
  await cashier.withdraw.send()
  await outcome('processing')
  await take('sent')
  const [withdrawal] = await control.withdrawals({ user_reference: user })
  await control.completeWithdrawal(withdrawal?.transaction_uuid ?? '')
  await outcome('succeeded')
  await take('succeeded')

  await newForm(args)
  await cashier.withdraw.fill('250', TRON_ADDRESS)
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(cashier.withdraw.sendAgain()).toBeVisible()
  await take('same-again')

  await newForm(args)
  await cashier.withdraw.fill('500.5', TRON_ADDRESS)
  await cashier.withdraw.review()
  await cashier.withdraw.send()
  await expect(embedded.locator('[aria-invalid="true"]')).toBeVisible()
  await take('last-four')

  for (const [amount, status, screen] of [
    ['20.0703', 'failed', 'failed'],
    ['25.0701', 'awaiting_approval', 'awaiting-approval'],
    ['30.0704', 'unknown', 'not-sure'],
  ] as const) {
    await newForm(args)
    await cashier.withdraw.all(amount, TRON_ADDRESS)
    await outcome(status)
    await take(screen)
  }

  await cashier.goTo('history')
  await expect(cashier.history.rows().filter({ visible: true })).toHaveCount(5)
  await take('history')
  await cashier.history.rows().last().click()
  await expect(cashier.history.details()).toBeVisible()
  await take('details')
  await control.fault({
    target: 'user_transactions',
    kind: 'error_before_commit',
    times: 'always',
    match: { user_reference: user },
  })
  await open(args)
  await cashier.goTo('history')
  await expect(embedded.getByTestId('stale')).toBeVisible()
  await take('history-stale')
  await control.clearFaults()
})

pictures('purchases', async (args) => {
  const { page, embedded, stack, user, cashier, take } = args
  const { control } = stack.sandbox
  await open(args)
  await cashier.goTo('buy')
  await cashier.buy.fill('150', 'DE')
  await take('buy')
  await cashier.buy.start()
  await expect(cashier.buy.provider().getByRole('button').first()).toBeVisible()
  await take('provider')
  const reference = await purchaseOfUser(stack, user)
  await control.advanceOnramp(reference, 'processing')
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'processing')
  await take('purchase-paid')
  await control.advanceOnramp(reference, 'succeeded', { to_amount: '161.204455' })
  await expect(cashier.buy.purchase()).toHaveAttribute('data-status', 'succeeded')
  await take('purchase-succeeded')

  await args.openCashier({ locale: args.locale, theme: args.theme, own_wallet: true })
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('buy')
  await embedded.locator('[name="buy-destination"]').last().check()
  await embedded.locator('#buy-address').fill(TRON_ADDRESS)
  await take('own-wallet')

  await control.changeModes({ onramp_expires_after_ms: 1_800_000 })
  await page.clock.install()
  await args.openCashier({ locale: args.locale, theme: args.theme })
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('buy')
  await cashier.buy.fill('160', 'DE')
  await cashier.buy.start()
  await expect(embedded.getByTestId('link-expires')).toBeVisible()
  await expect(cashier.buy.provider().getByRole('button').first()).toBeVisible()
  await page.clock.fastForward('31:00')
  await expect(embedded.getByTestId('link-expires')).toHaveCount(0)
  await take('purchase-expired')
  await control.changeModes({ onramp_expires_after_ms: null })
})
