/** The screens at the end of a visit look alike, and have a way to continue. */
import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { openEmbedded } from '../views/host-page.ts'

test.use({ viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] })

const AGAIN = 'Go back to the site you came from and open the cashier again.'

/** How the icon, the title and the text of a screen are drawn. */
const look = (page: Page): Promise<readonly string[]> =>
  page.locator('main').evaluate((main) => {
    const styles = (element: Element | null): string => {
      if (!element) return 'none'
      const { fontSize, fontWeight, textAlign } = getComputedStyle(element)
      return `${fontSize} ${fontWeight} ${textAlign}`
    }
    const icon = main.querySelector('svg')?.getBoundingClientRect()
    return [
      `${String(icon?.width)} at ${String(icon?.top)}`,
      styles(main.querySelector('h1,h2')),
      styles(main.querySelector('p')),
    ]
  })

test('they look alike', async ({ page, stack, createSession, consoleFaults }) => {
  await page.goto(`${stack.cashier.url}/nowhere`)
  const first = await look(page)
  expect(first[0]).toBe('32 at 40')
  await page.goto(`${stack.cashier.url}/c/${crypto.randomUUID()}`)
  expect(await look(page)).toEqual(first)
  const { launch_url, session_id } = await createSession()
  await page.goto(launch_url)
  await page.waitForURL('**/c/**')
  await expect(new Cashier(page).connection).toContainText('Live')
  await stack.cashier.api.endSession(session_id)
  await expect(page.getByTestId('session-ended')).toBeVisible()
  expect(await look(page)).toEqual(first)
  await page.goto(launch_url)
  await expect(page.getByTestId('launch-failed')).toBeVisible()
  expect(await look(page)).toEqual(first)
  consoleFaults.length = 0
})

test('an ended session names the merchant’s site where the session has its name', async ({
  page,
  stack,
  openOnTop,
  consoleFaults,
}) => {
  const session = await openOnTop({ return_url: `${stack.merchant.url}/`, merchant_name: 'Acme <Games>' })
  await expect(page.getByRole('link', { name: 'Close the cashier and return to Acme <Games>' })).toBeVisible()
  await expect(new Cashier(page).connection).toContainText('Live')
  await stack.cashier.api.endSession(session.session_id)
  const ended = page.getByTestId('session-ended')
  await expect(ended).toContainText('Return to Acme <Games> and open the cashier again.')
  await expect(ended.getByRole('link', { name: 'Return to Acme <Games>' })).toBeVisible()
  await page.reload()
  await expect(ended.getByRole('link', { name: 'Return to Acme <Games>' })).toBeVisible()
  await expect(ended).not.toContainText('the site you came from')
  consoleFaults.length = 0
})

test('an ended session has a way back after a reload, only in its own tab', async ({
  page,
  stack,
  openOnTop,
  createSession,
  consoleFaults,
}) => {
  const returnUrl = `${stack.merchant.url}/?from=cashier&a="b"`
  const session = await openOnTop({ return_url: returnUrl })
  await expect(new Cashier(page).connection).toContainText('Live')
  await stack.cashier.api.endSession(session.session_id)
  const back = page.getByTestId('session-ended').getByRole('link', { name: 'Back' })
  await expect(back).toBeVisible()
  await page.reload()
  await expect(page.getByText(AGAIN)).toBeVisible()
  await expect(back).toHaveAttribute('href', new URL(returnUrl).href)
  await back.click()
  await expect(page).toHaveURL(new URL(returnUrl).href)

  // In the merchant's page the script starts a new session.
  const sessions: string[] = []
  const host = await openEmbedded(page, stack, async () => {
    const one = await createSession({ return_url: returnUrl })
    sessions.push(one.session_id)
    return one.launch_token
  })
  await stack.cashier.api.endSession(sessions[0] ?? '')
  await expect.poll(() => sessions.length).toBe(2)
  await expect(host.cashier('cashier').getByTestId('address')).toBeVisible()
  await expect(host.cashier('cashier').getByRole('link', { name: 'Back' })).toHaveCount(0)
  consoleFaults.length = 0
})

test('a used link shows its reference with a label, to copy', async ({ page, createSession, consoleFaults }) => {
  const { launch_url } = await createSession()
  await page.goto(launch_url)
  await page.waitForURL('**/c/**')
  const answer = page.waitForResponse((response) => response.status() === 410)
  await page.goto(launch_url)
  const id = (await answer).headers()['x-request-id'] ?? '-'
  await expect(page.getByRole('heading')).toHaveText('This link has been used or is too old.')
  await expect(page.getByText(AGAIN)).toBeVisible()
  await expect(page.getByTestId('support')).toBeVisible()
  const reference = page.getByTestId('reference')
  await expect(reference).toContainText('Reference to quote')
  await expect(reference).toContainText(id)
  await reference.getByRole('button', { name: 'Copy: Reference to quote' }).click()
  await expect(reference.getByRole('status')).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id)
  consoleFaults.length = 0
})

test('a missing page leads to the session in its URL, or to support', async ({
  page,
  stack,
  openOnTop,
  consoleFaults,
}) => {
  const { session_id } = await openOnTop()
  await page.goto(`${stack.cashier.url}/c/${session_id}/settings`)
  await expect(page.getByTestId('not-found')).toBeVisible()
  await page.getByRole('link', { name: 'Open the cashier' }).click()
  await expect(page.getByTestId('address')).toBeVisible()
  await page.goto(`${stack.cashier.url}/nowhere`)
  await expect(page.getByText(AGAIN)).toBeVisible()
  await expect(page.getByTestId('support')).toBeVisible()
  consoleFaults.length = 0
})

for (const locale of ['en', 'ar'])
  test.describe(`in ${locale}`, () => {
    test.use({ locale, colorScheme: locale === 'ar' ? 'dark' : 'light' })

    test('/embed, opened alone, says what it is and what to do', async ({ page, stack }) => {
      await page.goto(`${stack.cashier.url}/embed`)
      await expect(page.locator('#mark')).toBeVisible()
      await expect(page.locator('#wait')).toBeHidden()
      await expect(page.locator('#status')).toHaveText(
        locale === 'en' ? 'This page works only inside a merchant’s site.' : 'تعمل هذه الصفحة داخل موقع التاجر فقط.',
      )
      await expect(page.locator('#again')).toHaveText(
        locale === 'en' ? AGAIN : 'يُرجى العودة إلى الموقع الذي أتيت منه وفتح الصندوق من جديد.',
      )
    })
  })
