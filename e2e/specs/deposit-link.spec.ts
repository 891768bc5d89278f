import { EVERY_QUESTION } from '../fixtures/shared-options.ts'
import { expect, test } from '../fixtures/test.ts'

test.use({ stackOptions: EVERY_QUESTION })

test('another wallet pays on a separate page, whose host is shown first', async ({
  page,
  stack,
  embedded,
  openUsdt,
}) => {
  const cashier = await openUsdt({ flows: ['deposit', 'history'] })
  const address = await cashier.deposit.address()
  await embedded.getByRole('button', { name: 'Pay from another wallet' }).click()
  const { host } = new URL(stack.sandbox.url)
  await expect(embedded.getByText(`You continue at ${host}, in a new tab.`)).toBeVisible()
  const link = embedded.getByRole('link', { name: `Open ${host}` })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  const opening = page.waitForEvent('popup')
  await link.click()
  const popup = await opening
  await expect(popup.getByText(address)).toBeVisible()
  expect(await popup.evaluate(() => window.opener === null)).toBe(true)
  await expect(embedded.getByRole('button', { name: 'Pay from another wallet' })).toBeVisible()
})

test('when the gateway does not answer, there is a message, and the button stays', async ({
  stack,
  user,
  openCashier,
  consoleFaults,
  embedded,
}) => {
  await stack.sandbox.control.fault({
    target: 'link_external_wallet',
    kind: 'error_before_commit',
    times: 1,
    match: { user_reference: user },
  })
  await openCashier({ flows: ['deposit'] })
  const button = embedded.getByRole('button', { name: 'Pay from another wallet' })
  await button.click()
  await expect(embedded.getByRole('region').getByRole('alert')).toContainText('The payment service is not responding')
  await button.click()
  await expect(embedded.getByTestId('wallet-link')).toBeVisible()
  consoleFaults.length = 0
})
