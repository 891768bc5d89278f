/**
 * At 320 CSS pixels nothing overflows its card on rare screens. Each screen is made once, in a merchant's page, and
 * shown in the ten languages one after the other.
 */
import { currencyOf, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { TEN_LANGUAGES, expectTidy, overflows, narrowTest as test, useWideFont } from '../fixtures/narrow-page.ts'
import { LONG_HOST } from '../fixtures/renaming-gateway.ts'
import { expect } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { HostPage } from '../views/host-page.ts'

const LONG = '123456789012345678901234567890'
/**
 * Amounts whose connection is cut before the commit, and that are rejected without a transaction: docs/guides/test.md,
 * "Magic values".
 */
const UNKNOWN = `${LONG}.0704`
const REFUSED = `${LONG}.0702`
const LONG_MESSAGE = `${'Averylongwordwithoutagap'.repeat(4)} ${'verify your account first, please, '.repeat(10)}`

test('in every language, in the frame of a merchant’s page', async ({
  page,
  stack,
  gateway,
  user,
  createSession,
  consoleFaults,
}) => {
  test.slow()
  gateway.target = stack.sandbox.url
  await useWideFont(page)
  // The merchant's page would start another session at once.
  await page.addInitScript(() =>
    addEventListener('message', (event) => {
      if ((event.data as { type?: unknown }).type === 'session_ended') event.stopImmediatePropagation()
    }),
  )
  const currency = await currencyOf(stack, 'USDT', 'Tron')
  const sessions: string[] = []
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => {
      const { session_id, launch_token } = await createSession({ currency_ids: [currency] })
      sessions.push(session_id)
      return launch_token
    },
    head: '<style>body { margin: 0 }</style>',
  })
  await host.mount('cashier')
  await host.ready('cashier')
  const root = host.cashier('cashier')
  const cashier = new Cashier(root)
  const { withdraw } = cashier
  const typeLast = (): Promise<void> => root.locator('#withdraw-last-characters').fill(TRON_ADDRESS.slice(-4))

  await fund(stack, user, `9${LONG}`)
  await expect(cashier.balance).toContainText('9,123,456')
  await root.getByRole('button', { name: 'Pay from another wallet' }).click()
  await expect(root.getByTestId('wallet-link')).toContainText(LONG_HOST)
  await expectTidy(host, 'the page where another wallet pays')

  await cashier.goTo('Withdraw')
  await withdraw.fill(UNKNOWN, TRON_ADDRESS)
  await withdraw.review()
  await root.locator('#withdraw-last-characters').fill('none')
  await withdraw.send()
  await expect(root.locator('#withdraw-last-characters')).toHaveAttribute('aria-invalid', 'true')
  await expectTidy(host, 'the last characters')
  await typeLast()
  await withdraw.send()
  await expect(withdraw.sendAnyway()).toBeVisible()
  await expectTidy(host, 'the question about the address')
  await withdraw.send()
  await expect(withdraw.outcome()).toHaveAttribute('data-status', 'unknown')
  await expectTidy(host, 'an unknown withdrawal')

  await cashier.done()
  await withdraw.fill(UNKNOWN, TRON_ADDRESS)
  await withdraw.review()
  await typeLast()
  await withdraw.send()
  await expect(withdraw.sendAgain()).toBeVisible()
  await expectTidy(host, 'the question about the same withdrawal')
  await root.getByRole('button', { name: 'Back' }).click()

  await withdraw.fill(REFUSED, TRON_ADDRESS)
  await withdraw.review()
  await typeLast()
  await withdraw.send()
  await expect(withdraw.sendAnyway()).toBeVisible()
  await withdraw.send()
  await expect(withdraw.outcome()).toHaveAttribute('data-status', 'failed')
  await expectTidy(host, 'a failed withdrawal')

  // A merchant's answer to an authorization: docs/reference/merchant-api.md has its fields.
  await cashier.done()
  await page.route(/\/api\/cashier\/withdrawals(\/|$)/, async (route) => {
    const response = await route.fetch()
    const withdrawal = (await response.json()) as object
    const declined = { ...withdrawal, failure_reason: 'declined', user_message: LONG_MESSAGE }
    await route.fulfill({ response, json: declined })
  })
  await withdraw.fill(REFUSED, TRON_ADDRESS)
  await withdraw.review()
  await typeLast()
  await withdraw.send()
  await expect(withdraw.sendAnyway()).toBeVisible()
  await withdraw.send()
  await expect(withdraw.outcome().getByRole('blockquote')).toBeVisible()
  await expectTidy(host, 'a declined withdrawal')
  await cashier.done()

  await stack.sandbox.control.call('PATCH', '/modes', { onramp_expires_after_ms: 1_800_000 })
  await cashier.goTo('Buy')
  await cashier.buy.fill('150', 'Germany')
  await cashier.buy.start()
  await expect(root.getByTestId('link-expires')).toBeVisible()
  await stack.sandbox.control.call('PATCH', '/modes', { onramp_expires_after_ms: null })
  await expectTidy(host, 'a purchase')

  await stack.cashier.api.endSession(sessions[0] ?? '')
  await expect(root.getByTestId('session-ended')).toBeVisible()
  await expectTidy(host, 'an ended session')
  consoleFaults.length = 0
})

test('the pages without a session, in every language', async ({ browser, viewport, stack, gateway }) => {
  gateway.target = stack.sandbox.url
  for (const locale of TEN_LANGUAGES) {
    const context = await browser.newContext({ locale, viewport })
    const page = await context.newPage()
    await useWideFont(page)
    await page.goto(`${stack.cashier.url}/c/${crypto.randomUUID()}/deposit`)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await expect(page.getByTestId('support')).toBeVisible()
    expect(await overflows(page.locator('body')), `an ended session, ${locale}`).toEqual([])
    // A script submits its form.
    await page.goto(`${stack.cashier.url}/launch?token=unknown`)
    await expect(page.getByTestId('launch-failed')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    expect(await overflows(page.locator('body')), `a failed launch, ${locale}`).toEqual([])
    await context.close()
  }
})
