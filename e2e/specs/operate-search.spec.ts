/** The console's search: any id leads to its page, the beginning of one to a list. */
import type { Page } from 'playwright/test'
import * as z from 'zod'
import { expect, test } from '../fixtures/console-test.ts'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { violations } from '../fixtures/violations.ts'

const transactions = z.object({
  transactions: z.array(z.object({ transaction_uuid: z.string(), tx_hash: z.nullable(z.string()) })),
})

async function search(page: Page, text: string): Promise<void> {
  await page.goto('/operate/search')
  const field = page.getByRole('searchbox', { name: 'Any id, hash or address' })
  await field.fill(text)
  await field.press('Enter')
}

const hits = (page: Page, kind: string) => page.getByRole('region', { name: kind }).getByRole('link')

async function depositOf(stack: Stack, user: string): Promise<{ uuid: string; hash: string }> {
  const found = transactions.parse(await stack.sandbox.control.call('GET', `/transactions?user_reference=${user}`))
  const [first] = found.transactions
  return { uuid: first?.transaction_uuid ?? '', hash: first?.tx_hash ?? '' }
}

test('an empty search tells what it takes, and one without results what to do', async ({ page, signIn }) => {
  await signIn('viewer')
  await page.goto('/operate/search')
  await expect(page.getByRole('heading', { name: 'One field for every id' })).toBeVisible()
  expect(await violations(page.mainFrame())).toEqual([])
  await search(page, 'nobody-at-all')
  await expect(page.getByRole('heading', { name: 'Nothing has “nobody-at-all”' })).toBeVisible()
  await expect(page).toHaveURL(/\/operate\/search\?q=nobody-at-all$/)
  expect(await violations(page.mainFrame())).toEqual([])
})

test('a user, a transaction, a hash and the id of a request lead to their pages at once', async ({
  page,
  stack,
  user,
  signIn,
}) => {
  await signIn('viewer')
  const created = await fetch(`${stack.cashier.url}/api/merchant/sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.cashier.env['MERCHANT_API_KEY'] ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ user_reference_id: user }),
  })
  const requestId = created.headers.get('x-request-id') ?? ''
  await fund(stack, user, '12.5')
  const { uuid, hash } = await depositOf(stack, user)
  await search(page, ` ${user} `)
  await expect(page).toHaveURL(`${stack.cashier.url}/operate/users/${user}`)
  // The search is not between: back is where it was begun.
  await page.goBack()
  await expect(page).toHaveURL(/\/operate\/search$/)
  await search(page, uuid.toUpperCase())
  await expect(page).toHaveURL(`${stack.cashier.url}/operate/transactions/${uuid}`)
  for (const text of [hash, hash.replace(/^0x/, ''), hash.toUpperCase()]) {
    await search(page, text)
    await expect(page).toHaveURL(`${stack.cashier.url}/operate/transactions/${uuid}`)
  }
  await search(page, requestId)
  await expect(page).toHaveURL(`${stack.cashier.url}/operate/users/${user}`)
})

test('the beginning of an id lists what has it, by kind, with what a person needs to choose', async ({
  page,
  stack,
  user,
  signIn,
}) => {
  await signIn('viewer')
  await stack.cashier.api.createSession({ user_reference_id: user })
  await fund(stack, user, '7.25')
  const { uuid } = await depositOf(stack, user)
  await search(page, user.slice(0, 12))
  await expect(hits(page, 'Users').filter({ hasText: user })).toBeVisible()
  await search(page, uuid.slice(0, 13))
  const hit = hits(page, 'Transactions').filter({ hasText: uuid })
  for (const text of ['7.25', 'USDT', 'Succeeded', `of ${user}`]) await expect(hit).toContainText(text)
  expect(await violations(page.mainFrame())).toEqual([])
  await hit.click()
  await expect(page).toHaveURL(`${stack.cashier.url}/operate/transactions/${uuid}`)
  await page.goBack()
  await expect(hit).toBeVisible()
})

test('an address lists the withdrawals that went there', async ({ context, stack, user, openWithdrawForm, signIn }) => {
  const cashier = await openWithdrawForm('40')
  await cashier.withdraw.all('30', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toBeVisible()
  const operator = await context.newPage()
  await signIn('viewer', operator)
  await search(operator, TRON_ADDRESS)
  const hit = hits(operator, 'Withdrawals').filter({ hasText: user })
  await expect(hit).toContainText('by its address')
  await expect(hit).toContainText('30')
  const id = (await hit.getAttribute('href'))?.split('/').at(-1) ?? ''
  await search(operator, id)
  await expect(operator).toHaveURL(`${stack.cashier.url}/operate/withdrawals/${id}`)
})

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(() => {
    test.use({ colorScheme, viewport: { width: 390, height: 800 } })

    test(`axe finds nothing on a phone: ${colorScheme}`, async ({ page, stack, user, signIn }) => {
      await signIn('viewer')
      await stack.cashier.api.createSession({ user_reference_id: user })
      await fund(stack, user, '7.25')
      await search(page, user.slice(0, 12))
      await expect(hits(page, 'Users').first()).toBeVisible()
      expect(await violations(page.mainFrame())).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    })
  })
