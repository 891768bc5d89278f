/** The console's pages of sign-in, operators and settings. */
import { expect, test } from '../fixtures/console-test.ts'
import { invitationLink } from '../fixtures/operator.ts'

const WIDTHS = [390, 1280] as const

for (const width of WIDTHS)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(() => {
      test.use({ colorScheme, viewport: { width, height: 800 } })

      test(`pictures: console access ${width} ${colorScheme}`, async ({ page, stack, signIn }) => {
        const take = async (name: string): Promise<void> => {
          const path = `pictures/console/${width}-${colorScheme}/${name}.png`
          const isCovered = (await page.getByRole('dialog').count()) > 0
          await page.screenshot({ path, fullPage: !isCovered, animations: 'disabled' })
        }
        const takeDialog = async (name: string): Promise<void> => {
          await expect(page.getByRole('dialog')).toBeVisible()
          await take(name)
          await page.keyboard.press('Escape')
          await expect(page.getByRole('dialog')).toBeHidden()
        }
        await page.goto(await invitationLink(stack, `Grace ${width} ${colorScheme}`, 'agent'))
        await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible()
        await take('invitation')
        await page.goto('about:blank')
        await page.goto('/operate/invitation#x')
        await expect(page.getByText('It was used')).toBeVisible()
        await take('invitation-over')
        await page.goto('/operate')
        await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
        await take('sign-in')

        const { authenticator } = await signIn('admin')
        await take('landing')
        await page.goto('/operate/operators')
        await expect(page.getByRole('button', { name: 'Change role' }).first()).toBeVisible()
        await take('operators')
        for (const opener of ['Invite', 'Change role', 'Disable'] as const) {
          await page.getByRole('button', { name: opener, exact: true }).first().click()
          await takeDialog(`operators-${opener.toLowerCase().replace(' ', '-')}`)
        }
        await page.getByRole('button', { name: 'Invite', exact: true }).click()
        await page.getByLabel('Name').fill(`Alan ${width} ${colorScheme}`)
        await page.getByRole('button', { name: 'Make the link' }).click()
        await expect(page.getByText('It ends')).toBeVisible()
        await takeDialog('operators-link')
        await page.keyboard.press('?')
        await takeDialog('keys')
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill('se')
        await takeDialog('palette')
        await page.goto('/operate/settings')
        await page.getByRole('button', { name: 'Examine' }).click()
        await expect(page.getByRole('button', { name: 'Examine again' })).toBeVisible()
        await take('settings')

        await authenticator.confirms(false)
        await page.context().clearCookies()
        await page.getByRole('link', { name: 'Operators' }).click()
        await page.getByRole('button', { name: 'Use passkey' }).click()
        await expect(page.getByText('The passkey was not used. Try again.')).toBeVisible()
        await take('session-ended')
      })
    })
