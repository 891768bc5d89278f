/** The console's pages of decisions, with their dialogs. */
import type { Page } from 'playwright/test'
import { expect } from '../fixtures/console-test.ts'
import { DECISIONS, holdEvent, openPayoutOf, decideTest as test, type Team } from '../fixtures/decide-test.ts'
import type { Stack } from '../fixtures/stack.ts'
import { withdrawalOf } from '../fixtures/story-rows.ts'

const APPEARANCES = [390, 1280].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })))

test.use({ stackOptions: DECISIONS })

/** Takes what is on the screen in every size and appearance: the whole page, or the dialog above it. */
async function take(page: Page, name: string): Promise<void> {
  const isCovered = (await page.locator('[data-dialog]').count()) > 0
  for (const { width, theme } of APPEARANCES) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: theme })
    await page.screenshot({
      path: `pictures/console/${String(width)}-${theme}/${name}.png`,
      fullPage: !isCovered,
      animations: 'disabled',
    })
  }
}

const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).first()

async function takeDialog(page: Page, act: string, name: string): Promise<void> {
  await press(page, act).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await take(page, name)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
}

async function propose({ alice, bob }: Team, stack: Stack, user: string): Promise<string> {
  const payout = await openPayoutOf(stack, user, '119')
  await bob.page.goto(`/operate/payouts/${payout}`)
  await press(bob.page, 'Give it this payout').click()
  const dialog = bob.page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('The fee was taken out of what was asked for.')
  await dialog.getByRole('button', { name: 'Propose' }).click()
  await expect(dialog).toBeHidden()
  await alice.page.goto(`/operate/payouts/${payout}`)
  return payout
}

test('pictures: console decisions', async ({ stack, user, team }) => {
  const { page } = team.alice
  const pending = await withdrawalOf(stack, user, '600', '700')
  const big = `big-${user}`
  const unknown = await withdrawalOf(stack, big, '120.0704')
  const small = `small-${user}`
  const other = await withdrawalOf(stack, small, '30.0704')
  const lines = [await holdEvent(stack, user, '5', 'late'), await holdEvent(stack, user, '7', 'unknown')]

  await page.goto(`/operate/withdrawals/${pending}`)
  await expect(press(page, 'Approve')).toBeVisible()
  await take(page, 'decide-pending')
  await press(page, 'Decline').click()
  await page.getByLabel('Words for the user').fill('Please send us a proof of your address first.')
  await take(page, 'decide-decline')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`/operate/withdrawals/${other}`)
  await expect(press(page, 'It was not sent')).toBeVisible()
  await take(page, 'decide-unknown')
  const open = await openPayoutOf(stack, small, '30')
  await page.goto(`/operate/withdrawals/${other}`)
  await expect(page.getByText('0.0704 USDT less').first()).toBeVisible()
  await take(page, 'decide-unknown-payout')
  await takeDialog(page, 'It was sent', 'decide-sent')
  await page.goto(`/operate/payouts/${open}`)
  await expect(press(page, 'Give it this payout')).toBeVisible()
  await take(page, 'decide-payout')
  await takeDialog(page, 'Give it this payout', 'decide-give')
  await page.goto(`/operate/withdrawals/${unknown}`)
  await takeDialog(page, 'It was not sent', 'decide-two-persons')
  await propose(team, stack, big)
  await expect(press(page, 'Confirm')).toBeVisible()
  await take(page, 'decide-proposal')
  await page.goto('/operate')
  await expect(page.getByRole('region', { name: 'Waiting for a second person' })).toBeVisible()
  await take(page, 'decide-landing')
  await page.goto(`/operate/quarantine/${lines[0] ?? ''}`)
  await expect(press(page, 'Apply')).toBeVisible()
  await take(page, 'decide-line')
  await page.goto(`/operate/quarantine?user=${user}`)
  for (const id of lines) await page.getByRole('checkbox', { name: `Select ${id}` }).check()
  await take(page, 'decide-lines')
  await press(page, 'Apply').click()
  await page.getByLabel('Reason').fill('The gateway was late.')
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('list', { name: 'Results' })).toBeVisible()
  await take(page, 'decide-results')
})
