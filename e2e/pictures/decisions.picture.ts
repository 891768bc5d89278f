/** Withdrawals that the merchant decides about. There is no balance then. */
import { TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { pictures } from './picture-test.ts'

test.use({ stackOptions: { merchantDecides: true, cashier: { RATE_LIMIT: 'off' } } })

pictures('decisions', async ({ stack, openCashier, locale, theme, cashier, take }) => {
  for (const [decision, user_message, status, screen] of [
    ['postpone', 'We call you within an hour.', 'pending_authorization', 'postponed'],
    ['decline', 'Verify your account first: Settings, Identity.', 'failed', 'declined'],
  ] as const) {
    await fetch(`${stack.merchant.url}/qa`, { method: 'POST', body: JSON.stringify({ decision, user_message }) })
    await openCashier({ locale, theme })
    await cashier.pick('USDT', 'Tron')
    await cashier.goTo('withdraw')
    await cashier.withdraw.all(decision === 'decline' ? '25' : '26', TRON_ADDRESS)
    await expect(cashier.withdraw.outcome()).toHaveAttribute('data-status', status)
    await take(screen)
  }
})
