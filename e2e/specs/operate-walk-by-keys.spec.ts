/** A decision from the landing page on by keys alone: the focus is always somewhere, and seen. */
import type { Locator, Page } from 'playwright/test'
import { DECISIONS, decideTest as test } from '../fixtures/decide-test.ts'
import { withdrawalOf } from '../fixtures/story-rows.ts'
import { expect } from '../fixtures/test.ts'

test.use({ stackOptions: DECISIONS })

const MOST_PRESSES = 80

/** What has the focus is seen: it, or the box of a field, has an outline and stands on the screen. */
async function expectSeen(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const active = document.activeElement
    if (active === null || active === document.body) return 'nothing has the focus'
    const hasOutline = (element: Element | null): boolean =>
      element !== null && getComputedStyle(element).outlineStyle !== 'none'
    const { top, bottom, width, height } = active.getBoundingClientRect()
    const name = `${active.tagName} ${active.textContent.slice(0, 40)}`
    if (!hasOutline(active) && !hasOutline(active.parentElement)) return `${name} has no outline`
    if (width === 0 || height === 0 || bottom < 0 || top > window.innerHeight) return `${name} is not on the screen`
    return 'seen'
  })
  expect(seen).toBe('seen')
}

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
    await expectSeen(page)
  }
  throw new Error('Tab does not lead there')
}

test('a withdrawal that waits is found and declined by keys alone', async ({ stack, user, team: { alice } }) => {
  const { page } = alice
  await page.setViewportSize({ width: 1280, height: 800 })
  const other = await withdrawalOf(stack, `${user}-2`, '600', '700')
  const id = await withdrawalOf(stack, user, '600', '700')
  const dialog = (name: string): Locator => page.getByRole('dialog', { name })
  const heading = page.getByRole('heading', { level: 1 })
  const rows = page.locator('[data-row]')

  await page.goto('/operate')
  await expect(heading).toHaveText('What needs you')
  await tabTo(page, page.getByRole('main').getByRole('link', { name: /Withdrawals that wait for a decision/ }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/operate\/withdrawals\?status=pending_authorization$/)
  await expect(heading).toHaveText('Withdrawals')
  await expect(heading).toBeFocused()
  await expectSeen(page)

  // Newest first.
  await expect(rows.first()).toHaveAttribute('data-row', id)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(page.locator(`[data-row="${other}"]`)).toBeFocused()
  await expectSeen(page)
  await page.keyboard.press('k')
  await expect(rows.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/operate/withdrawals/${id}$`))
  await expect(heading).toContainText('Withdrawal')
  await expect(heading).toBeFocused()
  await expectSeen(page)

  await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Decline', exact: true }))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog('Decline').getByLabel('Words for the user'))
  await page.keyboard.type('Please write to us.')
  await tabTo(page, dialog('Decline').getByLabel('Reason'))
  await page.keyboard.type('No proof of address.')
  await tabTo(page, dialog('Decline').getByRole('button', { name: 'Decline', exact: true }))
  await page.keyboard.press('Enter')
  await expect(dialog('Decline')).toBeHidden()
  await expect(page.getByText(/Declined by Alice/)).toBeVisible()
  await expect(page.getByText('Words for the user: Please write to us.')).toBeVisible()
  // The button that had the focus is gone.
  await expect(heading).toBeFocused()
  await expectSeen(page)

  // In a story, too, `j` and `k` move.
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key)
  await expect(rows.first()).toBeFocused()
  await expectSeen(page)
  await page.keyboard.press('?')
  await expect(dialog('Keys')).toBeVisible()
  await expectSeen(page)
  await page.keyboard.press('Escape')
  await expect(dialog('Keys')).toBeHidden()
  await expect(rows.first()).toBeFocused()
  await page.keyboard.press('/')
  const palette = dialog('Go to anything')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await expect(rows.first()).toBeFocused()

  // The headless browser has no key for it.
  await page.goBack()
  await expect(page).toHaveURL(/\/operate\/withdrawals\?status=pending_authorization$/)
  await expect(page.locator(`[data-row="${other}"]`)).toBeVisible()
  await expect(page.locator(`[data-row="${id}"]`)).toHaveCount(0)
  await expect(heading).toBeFocused()
  await expectSeen(page)
})
