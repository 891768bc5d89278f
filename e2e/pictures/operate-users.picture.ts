/** The console's stories, and its page of a user. */
import { expect, test } from '../fixtures/console-test.ts'
import { depositOf, foreignPayout, sendDepositEvent, withdrawalOf } from '../fixtures/story-rows.ts'

const WIDTHS = [390, 1280] as const

for (const width of WIDTHS)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(() => {
      test.use({ colorScheme, viewport: { width, height: 800 } })

      test(`pictures: console stories ${width} ${colorScheme}`, async ({ page, stack, user, signIn }) => {
        const take = (name: string) =>
          page.screenshot({
            path: `pictures/console/${width}-${colorScheme}/${name}.png`,
            fullPage: true,
            animations: 'disabled',
          })
        const open = async (path: string, text: string): Promise<void> => {
          await expect(async () => {
            await page.goto(path)
            await expect(page.getByText(text).first()).toBeVisible({ timeout: 5000 })
          }).toPass()
        }
        const paid = await withdrawalOf(stack, user, '10')
        const [payout] = await stack.sandbox.control.withdrawals({ user_reference: user })
        await stack.sandbox.control.completeWithdrawal(payout?.transaction_uuid ?? '')
        const deposit = await depositOf(stack, user, '25.5')
        const unknown = await withdrawalOf(stack, user, '30.0704')
        await foreignPayout(stack, user)
        const stranger = crypto.randomUUID()
        await sendDepositEvent(stack, `stranger-${user}`, stranger, 5)
        await signIn('admin')
        await open(`/operate/transactions/${deposit}`, 'Credit')
        await sendDepositEvent(stack, user, deposit, 26)
        await open(`/operate/transactions/${deposit}`, 'Differs from what stands')
        await page.getByText('Event as it came').first().click()
        await take('story-deposit')
        await open(`/operate/withdrawals/${paid}`, 'its payout says so')
        await take('story-withdrawal')
        await open(`/operate/withdrawals/${unknown}`, 'Outcome unknown: ')
        await take('story-unknown')
        await open(`/operate/transactions/${stranger}`, 'Unknown user')
        await take('story-stranger')
        await page.goto(`/operate/transactions/${crypto.randomUUID()}`)
        await expect(page.getByText('Nothing is stored')).toBeVisible()
        await take('story-none')
        await open(`/operate/users/${user}`, '385.4296')
        await page.getByRole('button', { name: 'Show the entries' }).click()
        await expect(page.getByRole('columnheader', { name: 'Balance after' })).toBeAttached()
        await page.getByRole('button', { name: 'Check now' }).click()
        await page.getByLabel('Reason').fill('a ticket')
        await page.getByRole('dialog').getByRole('button', { name: 'Check now' }).click()
        await expect(page.getByText('Payout without an owner:')).toBeVisible()
        await take('user')
        await page.getByRole('button', { name: 'Erase', exact: true }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
        await page.screenshot({ path: `pictures/console/${width}-${colorScheme}/user-erase.png` })
      })
    })
