/** A short walk through the operators' console. */
import { invitationLink } from '../fixtures/operator.ts'
import { depositOf } from '../fixtures/story-rows.ts'
import { signInByInvitation } from '../system/sign-in-by-invitation.ts'
import type { EnginePage } from './engine.ts'
import { engineTest as test } from './engine-test.ts'
import { engineExpect as expect } from './engine-expect.ts'

declare global {
  interface Window {
    /** What went wrong in the page, as its console tells it. */
    consoleFaults?: string[]
  }
}

/** From now on; a navigation of the browser ends it. */
const watchFaults = (page: EnginePage): Promise<void> =>
  page.evaluate(() => {
    const faults: string[] = []
    window.consoleFaults = faults
    window.addEventListener('error', ({ message }) => faults.push(message))
    window.addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
    window.addEventListener('securitypolicyviolation', ({ violatedDirective }) => faults.push(violatedDirective))
    const tell = console.error
    console.error = (...texts: unknown[]) => {
      faults.push(texts.map(String).join(' '))
      tell(...texts)
    }
  }, null)

const faultsOf = (page: EnginePage): Promise<readonly string[] | undefined> =>
  page.evaluate(() => window.consoleFaults, null)

/** Loads another page in the same tab, which keeps its cookies. */
const goTo = (page: EnginePage, path: string): Promise<void> =>
  page.evaluate((to) => {
    setTimeout(() => window.location.assign(to), 0)
  }, path)

test(
  'an operator’s landing page, search, a story, and a list by its address',
  { tag: '@short' },
  async ({ engine, sites, user }) => {
    await sites.stack.cashier.api.createSession({ user_reference_id: user })
    const deposit = await depositOf(sites.stack, user, '12.5')
    const link = await invitationLink(sites.stack, `Engine ${user.slice(-8)}`, 'viewer')
    // The engine has no authenticator without hardware, and it alone accepts the certificate of the public URL.
    const cookie = await signInByInvitation(link, `http://localhost:${sites.stack.cashier.env['PORT'] ?? ''}`)

    const page = await engine.open(`${sites.cashierUrl}/operate`)
    await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(1)
    await page.evaluate((text) => {
      document.cookie = `${text}; Path=/; Secure; SameSite=Strict`
    }, cookie)
    await goTo(page, '/operate')
    await expect(page.locator('h1')).toContainText('What needs you')
    await watchFaults(page)
    await expect(page.locator('main')).toContainText('Last webhook of the gateway')
    await page.getByRole('button', { name: 'Search' }).first().click()
    const field = page.locator('[role="combobox"]')
    await field.fill(deposit)
    await field.press('Enter')
    // The only thing with this id: its story opens.
    await expect(page.locator('h1')).toContainText('Deposit')
    await expect(page.locator('h1')).toContainText('12.5')
    await expect(page.locator('[data-kind="event"]').first()).toContainText('User Deposit')
    expect(await faultsOf(page)).toEqual([])

    await goTo(page, `/operate/transactions?user=${user}&kind=deposit`)
    await expect(page.locator('main')).toContainText('Filters (2)')
    await watchFaults(page)
    await expect(page.locator('tbody [data-row]')).toHaveCount(1)
    await page.getByRole('button', { name: 'Remove the filter Kind' }).click()
    await expect(page.locator('main')).toContainText('Filters (1)')
    await expect(page.locator('tbody [data-row]')).toHaveCount(1)
    expect(await faultsOf(page)).toEqual([])
  },
)
