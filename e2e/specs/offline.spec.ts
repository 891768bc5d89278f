/** In the merchant's page: without a network, or while the server is away, the cashier's page goes on. */
import type { FrameLocator, Page } from 'playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { openEmbedded } from '../views/host-page.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** Counts the documents that the frame loads from now on. */
function countDocuments(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() !== page.mainFrame()) count += 1
  })
  return () => count
}

async function choose(cashier: FrameLocator, code: string, option: RegExp): Promise<void> {
  await cashier.getByTestId('currency-button').click()
  await cashier.getByRole('combobox').fill(code)
  await cashier.getByRole('option', { name: option }).click()
}

test('all flows open offline, and each is whole once the network is back', async ({
  page,
  context,
  stack,
  createSession,
  consoleFaults,
}) => {
  const host = await openEmbedded(page, stack, async () => (await createSession()).launch_token)
  const cashier = host.cashier('cashier')
  await expect(cashier.getByTestId('address')).toBeVisible()
  const documents = countDocuments(page)

  await context.setOffline(true)
  for (const flow of ['history', 'withdraw', 'buy', 'deposit']) {
    await cashier.getByTestId(`tab-${flow}`).click()
    await expect(cashier.getByTestId(`tab-${flow}`)).toHaveAttribute('aria-current', 'page')
  }
  await expect(cashier.getByTestId('address')).toBeVisible()
  await cashier.getByTestId('tab-withdraw').click()
  await expect(cashier.getByTestId('not-loaded')).toBeVisible()

  await context.setOffline(false)
  await expect(cashier.getByTestId('withdraw-form')).toBeVisible()
  await cashier.getByTestId('tab-history').click()
  await expect(cashier.getByTestId('empty')).toBeVisible()
  expect(documents()).toBe(0)
  // The browser itself reports each request that failed.
  consoleFaults.splice(0, consoleFaults.length, ...consoleFaults.filter((fault) => !fault.includes('ERR_INTERNET')))
})

test('a currency that is chosen shows at once, and the address of the one before is gone', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  const host = await openEmbedded(page, stack, async () => (await createSession()).launch_token)
  const cashier = host.cashier('cashier')
  const before = await cashier.getByTestId('address').innerText()
  const documents = countDocuments(page)
  await stack.sandbox.control.fault({
    target: 'deposit_address',
    kind: 'delay',
    times: 'always',
    settings: { delay_ms: 3000 },
    match: { user_reference: user },
  })

  await choose(cashier, 'USDT', /USDT.*Tron/s)
  await expect(cashier.getByTestId('currency-button')).toContainText('Tron')
  await expect(cashier.getByTestId('address')).toHaveCount(0)
  await expect(cashier.getByTestId('copy-address')).toBeDisabled()

  await expect(cashier.getByTestId('address')).toBeVisible()
  expect(await cashier.getByTestId('address').innerText()).not.toBe(before)
  await expect(cashier.getByTestId('qr').locator('svg')).toBeVisible()
  await expect(cashier.getByTestId('copy-address')).toBeEnabled()
  expect(documents()).toBe(0)
})

test('the picker, opened offline, leaves the page as it is and comes by itself', async ({
  page,
  context,
  stack,
  createSession,
  consoleFaults,
}) => {
  const host = await openEmbedded(page, stack, async () => (await createSession()).launch_token)
  const cashier = host.cashier('cashier')
  await expect(cashier.getByTestId('address')).toBeVisible()
  await context.setOffline(true)
  await cashier.getByTestId('currency-button').click()
  await expect(cashier.getByTestId('not-loaded')).toBeVisible()
  await expect(cashier.getByTestId('address')).toBeVisible()
  await context.setOffline(false)
  await expect(cashier.getByRole('combobox')).toBeVisible()
  consoleFaults.splice(0, consoleFaults.length, ...consoleFaults.filter((fault) => !fault.includes('ERR_INTERNET')))
})
