/** The console's story of a transaction or a withdrawal. */
import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/console-test.ts'
import type { Stack } from '../fixtures/stack.ts'
import { depositOf, sendDepositEvent, withdrawalOf } from '../fixtures/story-rows.ts'
import { violations } from '../fixtures/violations.ts'

const entries = (page: Page) => page.getByRole('region', { name: 'What happened' }).locator('[data-row]')
const saying = (page: Page, text: string | RegExp) => entries(page).filter({ hasText: text })
const comparison = (page: Page, field: string) =>
  page.locator('section', { hasText: 'What the sources say' }).locator('dl > div').filter({ hasText: field })

/** Opens a story and waits until it tells this. */
async function openUntil(page: Page, path: string, text: string | RegExp): Promise<void> {
  await expect(async () => {
    await page.goto(path)
    await expect(saying(page, text).first()).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 60_000 })
}

const lastAudit = async (stack: Stack, page: Page): Promise<unknown> => {
  const response = await page.request.get(`${stack.cashier.url}/api/operate/audit`)
  return response.ok() ? response.json() : null
}

test('a deposit reads like a conversation, and its raw texts unfold', async ({ page, stack, user, signIn }) => {
  await stack.cashier.api.createSession({ user_reference_id: user })
  const uuid = await depositOf(stack, user, '25.5')
  await signIn('viewer')
  await openUntil(page, `/operate/transactions/${uuid}`, 'Credit: 25.5 USDT')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Deposit 25.5 USDT')
  await expect(saying(page, 'Event User Deposit: Processing. It was applied.')).toHaveCount(1)
  await expect(saying(page, 'Succeeded: the gateway says so')).toHaveCount(1)
  const said = await entries(page).evaluateAll((all) =>
    all.map((one) => ({
      kind: one.getAttribute('data-kind'),
      at: one.querySelector('time')?.dateTime ?? '',
    })),
  )
  expect(said.map(({ at }) => at)).toEqual(said.map(({ at }) => at).sort())
  // A busy cashier may read the gateway's list before the event comes.
  const isSaid = ({ kind }: { readonly kind: string | null }): boolean => kind === 'event' || kind === 'record'
  const credit = said.findIndex(({ kind }) => kind === 'posting')
  expect(said.slice(0, credit).some(isSaid)).toBe(true)

  const event = saying(page, 'Event User Deposit: Succeeded.')
  await expect(event.getByText('Signature checked')).toBeVisible()
  const raw = event.getByText(`"transaction_uuid":"${uuid}"`)
  await expect(raw).toBeHidden()
  await event.getByText('Event as it came').click()
  await expect(raw).toBeVisible()
  expect(await violations(page.mainFrame())).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page.mainFrame())).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)

  await page.getByRole('link', { name: user }).click()
  await expect(page).toHaveURL(new RegExp(`/operate/users/${user}$`))
  await expect(page.getByRole('region', { name: 'Balances' })).toContainText('25.5 USDT')
})

test('an unknown withdrawal: what was sent, what is missing, and what happens next', async ({
  page,
  stack,
  user,
  signIn,
}) => {
  const id = await withdrawalOf(stack, user, '30.0704')
  await signIn('viewer')
  await openUntil(page, `/operate/withdrawals/${id}`, 'Calls the gateway to pay it out.')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Withdrawal 30.0704 USDT')
  await expect(page.getByText('A read without it counts as proof from')).toBeVisible()
  await expect(page.getByText('The gateway has named no transaction for it.')).toBeVisible()
  await saying(page, 'Calls the gateway').getByText('Request as sent').click()
  await expect(saying(page, 'Calls the gateway').getByText('"amount":"30.0704"')).toBeVisible()
  await expect(saying(page, 'Outcome unknown: nobody knows whether the gateway did it')).toHaveCount(1)
  expect(await violations(page.mainFrame())).toEqual([])
})

test('a withdrawal and its payout are one story, by either id', async ({ page, stack, user, signIn }) => {
  const id = await withdrawalOf(stack, user, '10')
  const [payout] = await stack.sandbox.control.withdrawals({ user_reference: user })
  const uuid = payout?.transaction_uuid ?? ''
  await stack.sandbox.control.completeWithdrawal(uuid)
  await signIn('viewer')
  await openUntil(page, `/operate/withdrawals/${id}`, 'Succeeded: its payout says so')
  await expect(page.getByRole('link', { name: uuid })).toBeVisible()
  await expect(comparison(page, 'Amount')).toContainText('Agree')
  await page.getByRole('link', { name: uuid }).click()
  await expect(page).toHaveURL(new RegExp(`/operate/transactions/${uuid}$`))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Withdrawal 10 USDT')
  for (const text of ['Calls the gateway to pay it out.', 'Succeeded: its payout says so'])
    await expect(saying(page, text)).toHaveCount(1)
})

test('an event of a user whom nobody knows has a story, too', async ({ page, stack, signIn }) => {
  const uuid = crypto.randomUUID()
  await sendDepositEvent(stack, 'a-stranger', uuid, 5)
  await signIn('viewer')
  await openUntil(page, `/operate/transactions/${uuid}`, 'It was not applied: Unknown user.')
  await expect(page.getByText('The event in quarantine is tried again by itself')).toBeVisible()
  await page.goto(`/operate/transactions/${crypto.randomUUID()}`)
  await expect(page.getByRole('heading', { name: 'Nothing is stored under this id' })).toBeVisible()
})

test('what contradicts is marked by words', async ({ page, stack, user, signIn }) => {
  await stack.cashier.api.createSession({ user_reference_id: user })
  const uuid = await depositOf(stack, user, '7')
  await signIn('viewer')
  await openUntil(page, `/operate/transactions/${uuid}`, 'Credit: 7 USDT')
  await sendDepositEvent(stack, user, uuid, 8)
  await openUntil(page, `/operate/transactions/${uuid}`, /Differs from what stands: .*Amount/)
  await expect(saying(page, 'It was not applied: Conflicting repeat.')).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'A person decides: Conflicting repeat.' })).toBeVisible()
  expect(await violations(page.mainFrame())).toEqual([])
})

test('each look at a story is noted', async ({ page, stack, user, signIn }) => {
  await stack.cashier.api.createSession({ user_reference_id: user })
  const uuid = await depositOf(stack, user, '3')
  const { name } = await signIn('admin')
  await openUntil(page, `/operate/transactions/${uuid}`, 'Credit: 3 USDT')
  await expect
    .poll(async () => JSON.stringify(await lastAudit(stack, page)))
    .toMatch(new RegExp(`transaction\\.open.*${uuid}|${uuid}.*transaction\\.open`))
  expect(JSON.stringify(await lastAudit(stack, page))).toContain(name)
})
