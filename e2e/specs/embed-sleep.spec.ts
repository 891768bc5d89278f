import { openFreezingProxy } from '../fixtures/freezing-proxy.ts'
import { fund } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'

test('after an hour of sleep the page shows what happened meanwhile, and starts a new session if its own has ended', async ({
  browser,
  stack,
  user,
  createSession,
}) => {
  await using proxy = await openFreezingProxy()
  const context = await browser.newContext({ proxy: { server: proxy.url } })
  const page = await context.newPage()
  await page.clock.install()
  const sessions: string[] = []
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => {
      const { launch_token, session_id } = await createSession()
      sessions.push(session_id)
      return launch_token
    },
  })
  await host.mount('cashier')
  await host.ready('cashier')
  const cashier = host.cashier('cashier')
  await expect(cashier.getByText(/^Live/)).toBeVisible()

  // The connection of the stream is lost silently.
  proxy.freeze()
  await fund(stack, user, '5')
  await page.clock.fastForward('01:00:00')
  await expect(cashier.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Credited')
  await expect(cashier.getByText(/^Live/)).toBeVisible()

  // The new stream works.
  await fund(stack, user, '6')
  await expect(cashier.getByTestId('live-deposits').getByTestId('deposit')).toHaveCount(2)

  proxy.freeze()
  await stack.cashier.api.endSession(sessions[0] ?? '')
  await page.clock.fastForward('01:00:00')
  await expect
    .poll(async () => (await host.types('cashier')).filter((type) => type !== 'transaction'))
    .toEqual(['ready', 'session_ended', 'ready'])
  await expect(cashier.getByTestId('balance')).toContainText('11 USDT')
  await context.close()
})
