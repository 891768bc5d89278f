import { fund } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

declare global {
  interface Window {
    shifts: string[]
  }
}

test('no layout shifts while a page loads', async ({ page, stack, user, openCashier }) => {
  await page.addInitScript(() => {
    window.shifts = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        if (!entry.hadRecentInput)
          window.shifts.push(`${entry.value} ${entry.sources.map(({ node }) => node?.textContent).join(' | ')}`)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await openCashier()
  await fund(stack, user, '1250.5')
  await expect(page.getByTestId('deposit')).toBeVisible()
  const base = page.url().replace(/\/deposit.*/, '')
  for (const flow of ['deposit', 'withdraw', 'buy', 'history']) {
    await page.goto(`${base}/${flow}`)
    await expect(page.getByTestId('loading')).toBeHidden()
    await expect(page.getByTestId('balance')).toContainText('1,250.5')
    await expect(new Cashier(page).connection).toContainText('Live')
    expect(await page.evaluate(() => window.shifts), flow).toEqual([])
  }
})

test('no animation with reduced motion; the current tab is marked with forced colours', async ({
  page,
  openCashier,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
  await openCashier()
  await page.getByTestId('currency-button').click()
  await expect(page.getByRole('option').first()).toBeVisible()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  await page.keyboard.press('Escape')
  const outline = (name: string): Promise<string> =>
    page
      .getByRole('navigation')
      .getByRole('link', { name })
      .evaluate((link) => getComputedStyle(link).outlineStyle)
  expect(await outline('Deposit')).toBe('solid')
  expect(await outline('History')).toBe('none')
})
