/** Withdrawals that wait for a person or for a time, and the question before they are cancelled. */
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { pictures } from './picture-test.ts'

const RULES = {
  USDT: { review_above: '20', review_new_address: true, review_more_than: { count: 1, hours: 24 } },
  TRX: { wait_for_new_address_s: 7200 },
}

test.use({ stackOptions: { cashier: { RATE_LIMIT: 'off', WITHDRAWAL_RULES: JSON.stringify(RULES) } } })

pictures('waiting', async ({ stack, user, openCashier, locale, theme, cashier, take }) => {
  await openCashier({ locale, theme })
  const waiting = cashier.root.getByTestId('waiting')
  for (const [code, amount, screen] of [
    ['USDT', '12', 'waiting-first'],
    ['USDT', '25', 'waiting-review'],
    ['TRX', '25', 'waiting-time'],
  ] as const) {
    await fund(stack, user, '60', code)
    await cashier.pick(code, 'Tron')
    await cashier.goTo('withdraw')
    await cashier.withdraw.all(amount, TRON_ADDRESS, { confirm: true })
    await expect(waiting).toBeVisible()
    await take(screen)
    if (screen === 'waiting-review') {
      await waiting.getByRole('button').click()
      await take('waiting-question')
      await waiting.getByRole('button').last().click()
      await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', 'failed')
      await take('waiting-cancelled')
    }
    await cashier.done()
  }
  await cashier.goTo('history')
  await cashier.history.rows().first().click()
  await expect(cashier.history.details().getByTestId('waiting')).toBeVisible()
  await take('waiting-details')
})
