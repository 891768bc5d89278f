/** What operators decide in the console: what the screen shows, and what the books say afterwards. */
import type { Locator, Page } from 'playwright/test'
import { ageTouches } from '../fixtures/console-rows.ts'
import { expect } from '../fixtures/console-test.ts'
import {
  bookedBalance,
  books,
  DECISIONS,
  holdEvent,
  linesIn,
  openPayoutOf,
  bookedPayouts,
  decideTest as test,
  type Person,
} from '../fixtures/decide-test.ts'
import { withdrawCalls } from '../fixtures/sandbox-records.ts'
import type { Stack } from '../fixtures/stack.ts'
import { withdrawalOf } from '../fixtures/story-rows.ts'
import { violations } from '../fixtures/violations.ts'

// One stack and one team for all tests, because starting them costs more than these tests.
test.use({ stackOptions: DECISIONS })
test.describe.configure({ mode: 'default' })

const decision = (page: Page) => page.getByRole('region', { name: 'Decision' })
const button = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true })
/** Also while the passkey is asked for above it. */
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true, includeHidden: true })
const told = (page: Page) => page.getByRole('region', { name: 'What happened' })

/** A text without its line breaks, and without spaces that do not break. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Opens a withdrawal's page, and waits until one can decide. */
async function openWithdrawal({ page }: Person, id: string): Promise<Locator> {
  await page.goto(`/operate/withdrawals/${id}`)
  await expect(decision(page)).toBeVisible()
  return decision(page)
}

/** Presses an act, gives the reason, and acts. */
async function act({ page }: Person, name: string, reason: string, submit = name): Promise<void> {
  await button(page.getByRole('main'), name).click()
  const dialog = dialogOf(page, name)
  await dialog.getByLabel('Reason').fill(reason)
  await button(dialog, submit).click()
  await expect(dialog).toBeHidden()
}

const withdrawalIn = (stack: Stack, id: string): Promise<Readonly<Record<string, unknown>>> =>
  books(stack, `/withdrawals/${id}`)

/** Calls the console's API as its page does: the answer's status, and the code of its problem. */
const send = (page: Page, path: string, body: object): Promise<{ status: number; code?: string }> =>
  page.evaluate(
    async ([to, given]) => {
      const response = await fetch(`/api/operate/${to}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given),
      })
      const { code } = (await response.json()) as { code?: string }
      return { status: response.status, ...(code !== undefined && { code }) }
    },
    [path, body] as const,
  )

test('approve: with a reason and the passkey, and not before', async ({ stack, user, team: { alice } }) => {
  const id = await withdrawalOf(stack, user, '600', '700')
  const offered = await openWithdrawal(alice, id)
  await button(offered, 'Approve').click()
  const dialog = dialogOf(alice.page, 'Approve')
  await expect(dialog).toContainText('The withdrawal is sent to the gateway now.')
  await button(dialog, 'Approve').click()
  await expect(dialog).toContainText('Say why, in a few words.')
  await dialog.getByLabel('Reason').fill('Checked by phone.')

  ageTouches(stack)
  await alice.authenticator.confirms(false)
  await button(dialog, 'Approve').click()
  const touch = dialogOf(alice.page, 'Use your passkey again')
  await expect(touch.getByRole('alert')).toContainText('The passkey was not used.')
  expect(await withdrawalIn(stack, id)).toMatchObject({ status: 'pending_authorization', awaits_decision: true })
  expect(await withdrawCalls(stack, user)).toBe(0)
  await alice.authenticator.confirms(true)
  await button(touch, 'Use passkey').click()

  await expect(dialog).toBeHidden()
  await expect(offered).toContainText(/Approved by Alice \d+ s ago/)
  await expect(offered.getByRole('button')).toHaveCount(0)
  await expect(alice.page.getByRole('heading', { level: 1 })).toContainText('Processing')
  await expect(told(alice.page)).toContainText('Checked by phone.')
  expect(await withdrawalIn(stack, id)).toMatchObject({ status: 'processing' })
  expect(await bookedBalance(stack, user)).toEqual({ available: '100', held: '600' })
  expect(await withdrawCalls(stack, user)).toBe(1)
})

test('decline: what the user will read is shown before, in the user’s language, and the user reads it', async ({
  page,
  stack,
  user,
  openOnTop,
  team: { alice },
}) => {
  const id = await withdrawalOf(stack, user, '600', '700')
  const session = await openOnTop({ locale: 'de', merchant_name: 'Acme' })
  await page.goto(`/c/${session.session_id}/withdraw?withdrawal=${id}`)
  const outcome = page.getByTestId('withdraw-outcome')
  await expect(outcome).toHaveAttribute('data-status', 'pending_authorization')

  await button(await openWithdrawal(alice, id), 'Decline').click()
  const dialog = dialogOf(alice.page, 'Decline')
  await expect(dialog).toContainText('Their session’s language is German.')
  const words = 'Bitte bestätigen Sie erst Ihre Adresse.'
  await dialog.getByLabel('Words for the user').fill(words)
  const preview = dialog.getByText('The user will read').locator('..').locator('[lang="de"]')
  const lines = (await preview.locator('p').allInnerTexts()).map(plain)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(words)
  await dialog.getByLabel('Reason').fill('No proof of address.')
  await button(dialog, 'Decline').click()
  await expect(dialog).toBeHidden()
  await expect(decision(alice.page)).toContainText('Declined by Alice')
  await expect(alice.page.getByText(`Words for the user: ${words}`)).toBeVisible()

  await expect(outcome).toHaveAttribute('data-status', 'failed')
  await expect(outcome.getByRole('blockquote')).toHaveText(words)
  const read = plain(await outcome.innerText())
  expect(lines[0]).not.toBe('')
  for (const sentence of (lines[0] ?? '').split(/(?<=\.) /)) expect(read).toContain(sentence)
  expect(read).not.toContain('No proof of address.')
  expect(await withdrawalIn(stack, id)).toMatchObject({ status: 'failed', user_message: words })
  expect(await bookedBalance(stack, user)).toEqual({ available: '700', held: '0' })
  expect(await withdrawCalls(stack, user)).toBe(0)
})

test('an uncertain withdrawal was not sent, after all that speaks for it', async ({ stack, user, team: { alice } }) => {
  const id = await withdrawalOf(stack, user, '30.0704')
  const offered = await openWithdrawal(alice, id)
  const speaks = (name: string) => offered.getByRole('region', { name })
  await expect(speaks('For “sent”')).toContainText('Nothing.')
  await expect(speaks('For “not sent”')).toContainText('No payout of this user is without an owner.')
  await expect(speaks('Not known, or not yet')).toContainText('The gateway gave no reply that can be read.')
  await expect(speaks('Not known, or not yet')).toContainText('Its absence from the list counts only later:')
  await act(alice, 'It was not sent', 'The gateway wrote so.')
  await expect(alice.page.getByRole('heading', { level: 1 })).toContainText('Failed')
  await expect(told(alice.page).getByText('The gateway wrote so.')).toHaveCount(1)
  await expect(button(alice.page, 'It was not sent')).toHaveCount(0)
  expect(await withdrawalIn(stack, id)).toMatchObject({
    status: 'failed',
    resolution: { outcome: 'not_sent', settled_by: 'operator:Alice', note: 'The gateway wrote so.' },
  })
  expect(await bookedBalance(stack, user)).toEqual({ available: '200', held: '0' })
})

test('an uncertain withdrawal was sent: the payout that a person names pays it', async ({
  stack,
  user,
  team: { alice },
}) => {
  const id = await withdrawalOf(stack, user, '30.0704')
  const payout = await openPayoutOf(stack, user, '30')
  const offered = await openWithdrawal(alice, id)
  const forSent = offered.getByRole('region', { name: 'For “sent”' })
  await expect(forSent).toContainText('A payout of 30 USDT belongs to nobody yet. It differs:')
  await expect(forSent.getByRole('row', { name: /^Amount/ })).toContainText('0.0704 USDT less')
  await expect(forSent.getByRole('row', { name: /^Address/ }).locator('[data-tone=bad]')).toHaveText('differs')
  await expect(offered.getByRole('region', { name: 'For “not sent”' })).not.toContainText('without an owner')

  // While a payout of the user belongs to nobody, nothing is given back.
  await expect(offered.getByText('Decide first whose it is.')).toBeVisible()
  await expect(button(offered, 'It was not sent')).toHaveCount(0)
  await expect(forSent.locator(`a[href$="/payouts/${payout}"]`)).toBeVisible()

  await button(offered, 'It was sent').click()
  const dialog = dialogOf(alice.page, 'It was sent')
  await expect(dialog.getByRole('radio', { name: `30 USDT · ${payout}` })).toBeChecked()
  await expect(dialog.getByRole('row', { name: /^Amount/ }).locator('[data-tone=bad]')).toHaveText('0.0704 USDT less')
  await expect(dialog.getByRole('row', { name: /^User/ }).locator('[data-tone=ok]')).toHaveText('the same')
  await dialog.getByLabel('Reason').fill('Seen in the explorer.')
  await button(dialog, 'It was sent').click()
  await expect(dialog).toBeHidden()
  await expect(alice.page.getByRole('heading', { level: 1 })).toContainText('Succeeded')
  expect(await withdrawalIn(stack, id)).toMatchObject({
    status: 'succeeded',
    transaction_uuid: payout,
    paid_amount: '30',
    resolution: { outcome: 'sent', settled_by: 'operator:Alice', note: 'Seen in the explorer.' },
  })
  expect(await bookedPayouts(stack, user)).toMatchObject([{ owner: 'withdrawal', withdrawal_id: id }])
  expect(await bookedBalance(stack, user)).toEqual({ available: '169.9296', held: '0' })
})

test('an open payout gets its owner beside the withdrawals that it may be, and another is none of ours', async ({
  stack,
  user,
  team: { alice },
}) => {
  const [one, two] = [await withdrawalOf(stack, user, '30.0704'), await withdrawalOf(stack, user, '20.0704', '0.5')]
  const payout = await openPayoutOf(stack, user, '20')
  const { page } = alice
  await page.goto(`/operate/quarantine?user=${user}&reason=unmatched_payout`)
  await page.getByRole('link', { name: 'Payout without an owner' }).click()
  await expect(page.getByRole('heading', { name: 'The cashier’s report' })).toBeVisible()
  const owners = page.getByRole('region', { name: 'Withdrawals that it may belong to' })
  await expect(owners.getByRole('listitem')).toHaveCount(2)
  await expect(owners).toContainText('20.0704 USDT')
  await page.goto(`/operate/payouts/${payout}`)
  const candidate = (id: string) => page.getByRole('article', { name: id })
  await expect(candidate(one).getByRole('row', { name: /^Amount/ })).toContainText('10.0704 USDT less')
  await expect(candidate(two).getByRole('row', { name: /^Amount/ })).toContainText('0.0704 USDT less')
  await expect(
    candidate(two)
      .getByRole('row', { name: /^Address/ })
      .locator('[data-tone=bad]'),
  ).toHaveText('differs')
  await expect(
    candidate(two)
      .getByRole('row', { name: /^Currency/ })
      .locator('[data-tone=ok]'),
  ).toHaveText('the same')
  await expect(candidate(two).getByRole('row', { name: /^Time/ })).toContainText('fits the call')
  // On a phone each value has a line of its own.
  const value = await candidate(two)
    .getByRole('row', { name: /^Address/ })
    .getByRole('cell')
    .first()
    .boundingBox()
  expect(value?.width).toBeGreaterThan(250)
  await button(candidate(two), 'Give it this payout').click()
  const dialog = dialogOf(page, 'Give it this payout')
  await expect(dialog.getByRole('row', { name: /^Amount/ })).toContainText('0.0704 USDT less')
  await dialog.getByLabel('Reason').fill('The fee was taken out.')
  await button(dialog, 'Give it this payout').click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/Decided by Alice/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Whose is it?' })).toHaveCount(0)
  expect(await bookedPayouts(stack, user)).toMatchObject([
    { transaction_uuid: payout, owner: 'withdrawal', withdrawal_id: two, note: 'The fee was taken out.' },
  ])
  expect(await withdrawalIn(stack, two)).toMatchObject({ status: 'succeeded', transaction_uuid: payout })
  expect(await withdrawalIn(stack, one)).toMatchObject({ status: 'unknown' })

  const foreign = await openPayoutOf(stack, user, '7')
  await page.goto(`/operate/payouts/${foreign}`)
  await act(alice, 'None of ours', 'A refund by hand.')
  await expect(page.getByRole('definition').filter({ hasText: 'none of ours' })).toContainText('Decided by Alice')
  expect((await bookedPayouts(stack, user)).find(({ amount }) => amount === '7')).toMatchObject({
    owner: 'acknowledged',
    withdrawal_id: null,
    note: 'A refund by hand.',
  })
  expect(await bookedBalance(stack, user)).toEqual({ available: '150.3592', held: '30.0704' })
})

test('lines of the quarantine: each of many has its own result', async ({ stack, user, team: { alice } }) => {
  const late = [await holdEvent(stack, user, '5', 'late'), await holdEvent(stack, user, '6', 'late')]
  const unknown = await holdEvent(stack, user, '7', 'unknown')
  const { page } = alice
  const rows = page.locator('tbody [data-row]')
  const settle = async (ids: readonly string[], name: 'Apply' | 'Dismiss', reason: string): Promise<Locator> => {
    for (const id of ids) await page.getByRole('checkbox', { name: `Select ${id}` }).check()
    await button(page.getByRole('main'), name).click()
    const dialog = dialogOf(page, `${name} ${String(ids.length)} events`)
    await dialog.getByLabel('Reason').fill(reason)
    await button(dialog, name).click()
    await expect(dialog.getByRole('list', { name: 'Results' }).getByRole('listitem')).toHaveCount(ids.length)
    return dialog
  }
  await page.goto(`/operate/quarantine?user=${user}`)
  await expect(rows).toHaveCount(3)
  const applied = await settle([...late, unknown], 'Apply', 'The gateway was late.')
  for (const id of late) await expect(applied.getByRole('listitem').filter({ hasText: id })).toContainText('applied')
  await expect(applied.getByRole('listitem').filter({ hasText: unknown })).toContainText(
    /still open.*Its reason remains: Unknown event\./s,
  )
  await applied.getByText('Close', { exact: true }).click()
  await expect(rows).toHaveCount(1)
  await expect(page.getByText('3 lines selected')).toHaveCount(0)
  expect(await bookedBalance(stack, user)).toEqual({ available: '11', held: '0' })
  expect(await linesIn(stack, user, 'settled')).toMatchObject(
    late.map((id) => ({ id, settled_by: 'operator:Alice', note: 'The gateway was late.' })),
  )
  expect(await linesIn(stack, user, 'open')).toMatchObject([{ id: unknown }])

  const other = await holdEvent(stack, user, '8', 'unknown')
  await expect(rows).toHaveCount(2)
  const dismissed = await settle([unknown, other], 'Dismiss', 'No money moved.')
  await expect(dismissed.getByText('dismissed', { exact: true })).toHaveCount(2)
  await dismissed.getByText('Close', { exact: true }).click()
  await expect(rows).toHaveCount(0)
  expect(await linesIn(stack, user, 'settled')).toMatchObject([
    {},
    {},
    { id: unknown, settled_by: 'operator:Alice', note: 'No money moved.' },
    { id: other, settled_by: 'operator:Alice', note: 'No money moved.' },
  ])
  expect(await bookedBalance(stack, user)).toEqual({ available: '11', held: '0' })
})

test('one line of the quarantine is applied, another dismissed, on its own page', async ({
  stack,
  user,
  team: { alice },
}) => {
  const { page } = alice
  const settle = async (id: string, name: 'Apply' | 'Dismiss', result: string): Promise<void> => {
    await page.goto(`/operate/quarantine/${id}`)
    await expect(page.getByRole('main')).toContainText('Too old')
    await expect(page.getByRole('heading', { name: 'Message as it came' })).toBeVisible()
    await expect(page.getByText('"event":"User Deposit"')).toBeVisible()
    await expect(page.getByRole('region', { name: 'What it is about' })).toContainText('Transaction')
    await expect(page.getByRole('heading', { name: 'What the sources say' })).toBeVisible()
    await button(page, name).click()
    const dialog = dialogOf(page, `${name} this event`)
    await dialog.getByLabel('Reason').fill(`${name} it.`)
    await button(dialog, name).click()
    await expect(dialog.getByRole('listitem')).toContainText(result)
    await dialog.getByText('Close', { exact: true }).click()
    await expect(page.getByText(name === 'Apply' ? /Applied by Alice/ : /Dismissed by Alice/)).toBeVisible()
    await expect(button(page, name)).toHaveCount(0)
    expect(await linesIn(stack, user, 'settled')).toContainEqual(
      expect.objectContaining({ id, settled_by: 'operator:Alice', note: `${name} it.` }),
    )
  }
  await settle(await holdEvent(stack, user, '8', 'late'), 'Apply', 'applied')
  await settle(await holdEvent(stack, user, '9', 'late'), 'Dismiss', 'dismissed')
  expect(await bookedBalance(stack, user)).toEqual({ available: '8', held: '0' })
})

test('above the limit one proposes that it was not sent, and only another confirms', async ({
  stack,
  user,
  team: { alice, bob },
}) => {
  const id = await withdrawalOf(stack, user, '120.0704')
  const offered = await openWithdrawal(alice, id)
  await button(offered, 'It was not sent').click()
  const dialog = dialogOf(alice.page, 'It was not sent')
  await expect(dialog).toContainText('another operator must confirm within a day')
  await dialog.getByLabel('Reason').fill('They have no trace of it.')
  await button(dialog, 'Propose').click()
  await expect(dialog).toBeHidden()
  await expect(offered).toContainText('Alice proposes: 120.0704 USDT was not sent')
  await expect(offered).toContainText('Another operator must confirm it.')
  await expect(button(offered, 'Confirm')).toHaveCount(0)
  await expect(button(offered, 'Take back')).toBeVisible()
  const response = await alice.page.request.get('/api/operate/proposals')
  const { proposals } = (await response.json()) as { proposals: readonly { id: string; subject: string }[] }
  const proposal = proposals.find(({ subject }) => subject === id)
  expect(await send(alice.page, `proposals/${proposal?.id ?? ''}/confirmation`, { reason: 'Me again.' })).toEqual({
    status: 409,
    code: 'conflict',
  })
  expect(await withdrawalIn(stack, id)).toMatchObject({ status: 'unknown', resolution: null })
  expect(await bookedBalance(stack, user)).toEqual({ available: '79.9296', held: '120.0704' })

  await bob.page.goto('/operate')
  const waiting = bob.page.getByRole('region', { name: 'Waiting for a second person' })
  await expect(waiting).toContainText('They have no trace of it.')
  await waiting.getByRole('link', { name: 'Look at it' }).click()
  await expect(decision(bob.page)).toContainText('Alice proposes: 120.0704 USDT was not sent')
  await act(bob, 'Confirm', 'I asked them, too.')
  await expect(bob.page.getByRole('heading', { level: 1 })).toContainText('Failed')
  await expect(bob.page.getByText('Alice proposes:')).toHaveCount(0)
  expect(await withdrawalIn(stack, id)).toMatchObject({
    status: 'failed',
    resolution: { settled_by: 'operator:Bob', note: 'They have no trace of it. (proposed by Alice)' },
  })
  expect(await bookedBalance(stack, user)).toEqual({ available: '200', held: '0' })
})

test('above the limit an owner needs a second person, who may refuse', async ({
  stack,
  user,
  team: { alice, bob },
}) => {
  const id = await withdrawalOf(stack, user, '120.0704')
  const payout = await openPayoutOf(stack, user, '119')
  const give = async (person: Person, reason: string): Promise<void> => {
    await person.page.goto(`/operate/payouts/${payout}`)
    await act(person, 'Give it this payout', reason, 'Propose')
    const proposal = person.page.locator('.notice').filter({ hasText: `${person.name} proposes: an owner for the` })
    await expect(proposal).toContainText(`Withdrawal: ${id}`)
    await expect(button(person.page, 'Confirm')).toHaveCount(0)
    expect(await bookedPayouts(stack, user)).toMatchObject([{ owner: null }])
  }
  await give(alice, 'It looks alike.')
  await bob.page.goto(`/operate/payouts/${payout}`)
  await act(bob, 'Refuse', 'Ask the user first.')
  await expect(bob.page.getByText('Alice proposes:')).toHaveCount(0)
  expect(await bookedPayouts(stack, user)).toMatchObject([{ owner: null }])

  await give(bob, 'The user has it.')
  await alice.page.reload()
  await act(alice, 'Confirm', 'Seen.')
  await expect(alice.page.getByText(/Decided by Alice/)).toBeVisible()
  expect(await bookedPayouts(stack, user)).toMatchObject([
    { owner: 'withdrawal', withdrawal_id: id, note: 'The user has it. (proposed by Bob)' },
  ])
  expect(await withdrawalIn(stack, id)).toMatchObject({ status: 'succeeded', transaction_uuid: payout })
  expect(await bookedBalance(stack, user)).toEqual({ available: '79.9296', held: '0' })
})

test('of two who decide at once one wins, and the other is told by whom', async ({
  stack,
  user,
  team: { alice, bob },
}) => {
  const id = await withdrawalOf(stack, user, '600', '700')
  const sides = [
    { person: alice, name: 'Approve' },
    { person: bob, name: 'Decline' },
  ]
  for (const { person, name } of sides) {
    await button(await openWithdrawal(person, id), name).click()
    await dialogOf(person.page, name).getByLabel('Reason').fill(`${name}, says ${person.name}.`)
  }
  await Promise.all(sides.map(({ person, name }) => button(dialogOf(person.page, name), name).click()))
  await expect.poll(async () => (await withdrawalIn(stack, id))['status']).not.toBe('pending_authorization')
  const isDeclined = (await withdrawalIn(stack, id))['status'] === 'failed'
  const [winner, loser] = isDeclined ? [bob, alice] : [alice, bob]
  await expect(dialogOf(winner.page, isDeclined ? 'Decline' : 'Approve')).toBeHidden()
  const dialog = dialogOf(loser.page, isDeclined ? 'Approve' : 'Decline')
  await expect(dialog.getByRole('alert')).toContainText(`${winner.name} was faster`)
  await button(dialog, 'Cancel').click()
  await expect(decision(loser.page)).toContainText(`${isDeclined ? 'Declined' : 'Approved'} by ${winner.name}`)
  await expect(decision(loser.page).getByRole('button')).toHaveCount(0)
  expect(await withdrawCalls(stack, user)).toBe(isDeclined ? 0 : 1)
  expect(await bookedBalance(stack, user)).toEqual(
    isDeclined ? { available: '700', held: '0' } : { available: '100', held: '600' },
  )
})

test('a line that another has settled meanwhile is not done again, and says by whom', async ({
  stack,
  user,
  team: { alice, bob },
}) => {
  const id = await holdEvent(stack, user, '5', 'late')
  await bob.page.goto(`/operate/quarantine?user=${user}`)
  await bob.page.getByRole('checkbox', { name: `Select ${id}` }).check()
  await button(bob.page.getByRole('main'), 'Apply').click()
  const dialog = dialogOf(bob.page, 'Apply this event')
  await dialog.getByLabel('Reason').fill('It is good.')
  expect(await send(alice.page, 'quarantine/dismissals', { ids: [id], reason: 'A copy.' })).toEqual({ status: 200 })
  await button(dialog, 'Apply').click()
  await expect(dialog.getByRole('listitem')).toContainText(/not done.*Settled by Alice/s)
  expect(await linesIn(stack, user, 'settled')).toMatchObject([{ id, settled_by: 'operator:Alice' }])
  expect(await bookedBalance(stack, user)).toEqual({ available: '0', held: '0' })
})

test('a viewer sees all of it, and decides nothing', async ({ stack, user, team: { alice, viewer } }) => {
  const pending = await withdrawalOf(stack, user, '600', '700')
  const big = `big-${user}`
  const unknown = await withdrawalOf(stack, big, '120.0704')
  const payout = await openPayoutOf(stack, user, '7')
  const line = await holdEvent(stack, user, '5', 'late')
  await openWithdrawal(alice, unknown)
  await act(alice, 'It was not sent', 'A proposal.', 'Propose')

  const { page } = viewer
  const acts = /^(Approve|Decline|It was .*sent|Confirm|Refuse|Apply|Dismiss|Give it this payout|None of ours)$/
  for (const path of [`withdrawals/${pending}`, `withdrawals/${unknown}`, `payouts/${payout}`, `quarantine/${line}`]) {
    await page.goto(`/operate/${path}`)
    await expect(page.getByText('Your role sees this. An agent decides.')).toBeVisible()
    await expect(page.getByRole('button', { name: acts })).toHaveCount(0)
  }
  await page.goto(`/operate/quarantine?user=${user}`)
  await expect(page.locator('tbody [data-row]').first()).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)

  const { proposals } = (await (await page.request.get('/api/operate/proposals')).json()) as {
    proposals: readonly { id: string; subject: string }[]
  }
  const proposal = proposals.find(({ subject }) => subject === unknown)?.id ?? ''
  const reason = 'I would like to.'
  const calls: readonly (readonly [string, object])[] = [
    [`withdrawals/${pending}/approval`, { reason }],
    [`withdrawals/${pending}/decline`, { reason }],
    [`withdrawals/${unknown}/resolution`, { outcome: 'not_sent', reason }],
    [`payouts/${payout}/owner`, { acknowledged: true, reason }],
    ['quarantine/applications', { ids: [line], reason }],
    ['quarantine/dismissals', { ids: [line], reason }],
    [`proposals/${proposal}/confirmation`, { reason }],
    [`proposals/${proposal}/refusal`, { reason }],
  ]
  for (const [path, body] of calls)
    expect([path, await send(page, path, body)]).toEqual([path, { status: 403, code: 'role_required' }])
  expect(await withdrawalIn(stack, pending)).toMatchObject({ status: 'pending_authorization' })
  expect(await withdrawalIn(stack, unknown)).toMatchObject({ status: 'unknown', resolution: null })
  expect((await bookedPayouts(stack, user)).filter(({ amount }) => amount === '7')).toMatchObject([{ owner: null }])
  expect(await linesIn(stack, user, 'open')).toContainEqual(expect.objectContaining({ id: line }))
})

test('a session that ends in the middle: nothing is done, and what was typed is there after the sign-in', async ({
  stack,
  user,
  team: { alice },
}) => {
  const id = await withdrawalOf(stack, user, '600', '700')
  const { page } = alice
  const ended = dialogOf(page, 'Your session has ended')
  const fill = async (): Promise<Locator> => {
    await button(decision(page), 'Decline').click()
    const dialog = dialogOf(page, 'Decline')
    await dialog.getByLabel('Words for the user').fill('Please write to us.')
    await dialog.getByLabel('Reason').fill('Half a')
    await page.context().clearCookies()
    await dialog.getByLabel('Reason').fill('Half a reason, and the rest.')
    await button(dialog, 'Decline').click()
    await expect(ended).toContainText('What you typed is still here.')
    expect(await withdrawalIn(stack, id)).toMatchObject({ status: 'pending_authorization', user_message: null })
    return dialog
  }
  // Somebody who leaves has done nothing, and decides anew.
  await openWithdrawal(alice, id)
  await fill()
  await button(ended, 'Leave').click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(decision(page)).toBeVisible()
  expect(await withdrawalIn(stack, id)).toMatchObject({ status: 'pending_authorization', user_message: null })

  const dialog = await fill()
  await button(ended, 'Use passkey').click()
  await expect(dialog).toBeHidden()
  await expect(decision(page)).toContainText('Declined by Alice')
  await expect(told(page)).toContainText('Half a reason, and the rest.')
  expect(await withdrawalIn(stack, id)).toMatchObject({ status: 'failed', user_message: 'Please write to us.' })
})

/** Axe finds nothing in both themes, and nothing is wider than the phone. */
async function expectClean(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // A dialog that appears has other colours.
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
    expect(await violations(page.mainFrame())).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
}

/** The same of the dialog of an act. */
async function expectCleanDialog(page: Page, name: string): Promise<void> {
  await button(page.getByRole('main'), name).first().click()
  const dialog = dialogOf(page, name)
  await button(dialog, 'Cancel').waitFor()
  await expectClean(page)
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await button(dialog, 'Cancel').click()
  await expect(dialog).toBeHidden()
}

test('axe finds nothing where withdrawals and payouts are decided, and it fits a phone', async ({
  stack,
  user,
  team: { alice },
}) => {
  const { page } = alice
  const pending = await withdrawalOf(stack, user, '600', '700')
  const unknown = await withdrawalOf(stack, `u-${user}`, '120.0704')
  const payout = await openPayoutOf(stack, `u-${user}`, '119')
  await openWithdrawal(alice, pending)
  await expectCleanDialog(page, 'Decline')
  await openWithdrawal(alice, unknown)
  await expectClean(page)
  await expectCleanDialog(page, 'It was sent')
  await page.goto(`/operate/payouts/${payout}`)
  await act(alice, 'Give it this payout', 'It looks alike.', 'Propose')
  await expect(page.getByText('Alice proposes:')).toBeVisible()
  await expectClean(page)
  await expectCleanDialog(page, 'Give it this payout')
  await page.goto('/operate')
  await expect(page.getByRole('region', { name: 'Waiting for a second person' })).toBeVisible()
  await expectClean(page)
})

test('axe finds nothing where lines of the quarantine are decided, and it fits a phone', async ({
  stack,
  user,
  team: { alice },
}) => {
  const { page } = alice
  const line = await holdEvent(stack, user, '5', 'late')
  await page.goto(`/operate/quarantine/${line}`)
  await button(page, 'Apply').waitFor()
  await expectClean(page)
  await page.goto(`/operate/quarantine?user=${user}`)
  await page.getByRole('checkbox', { name: `Select ${line}` }).check()
  await expectClean(page)
  await button(page.getByRole('main'), 'Dismiss').click()
  const dialog = dialogOf(page, 'Dismiss this event')
  await expectClean(page)
  await dialog.getByLabel('Reason').fill('A copy.')
  await button(dialog, 'Dismiss').click()
  await expect(dialog.getByRole('list', { name: 'Results' })).toBeVisible()
  await expectClean(page)
})
