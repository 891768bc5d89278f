/** The cashier below the part of the merchant's page that is on the screen, where a browser draws no frames for it. */
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'

/** After this the cashier asks the gateway again for its currencies. */
const CURRENCIES_FRESH_MS = 10_000

test('a cashier off the screen is ready and complete, also if all its data comes late', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  const { launch_token } = await createSession()
  const { control } = stack.sandbox
  const late = { kind: 'delay', times: 'always', settings: { delay_ms: 500 } } as const
  await control.fault({ ...late, target: 'currencies' })
  await control.fault({ ...late, target: 'deposit_address', match: { user_reference: user } })
  await page.waitForTimeout(CURRENCIES_FRESH_MS + 500)
  const host = await HostPage.onMerchant(page, stack, {
    token: () => Promise.resolve(launch_token),
    head: '<style>body { padding-top: 3000px }</style>',
  })
  await host.mount('cashier')
  await expect.poll(() => host.types('cashier')).toContain('ready')
  await expect(host.cashier('cashier').getByTestId('address')).toBeVisible()
})
