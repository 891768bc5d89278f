import axe from 'axe-core'
import type { Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'

/** axe is put into the page by the debugger, which no policy of the page stops. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const results = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: typeof axe }
    return inPage.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      iframes: false,
    })
  })
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

const LOOKS = [
  { name: 'light', locale: 'en', theme: 'light' },
  { name: 'dark', locale: 'en', theme: 'dark' },
  { name: 'Arabic', locale: 'ar', theme: 'light' },
] as const

for (const { name, locale, theme } of LOOKS) {
  test(`no screen or dialog has a fault that a machine can find: ${name}`, async ({
    page,
    stack,
    user,
    openCashier,
  }) => {
    test.slow()
    await openCashier({ locale, theme })
    await fund(stack, user, '20')
    const base = page.url().replace(/\/deposit.*/, '')
    await expect(page.getByTestId('deposit')).toBeVisible()
    await expect(page.getByTestId('qr').locator('svg')).toBeVisible()
    expect(await violations(page)).toEqual([])

    await page.getByTestId('currency-button').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')

    for (const flow of ['withdraw', 'buy', 'history']) {
      await page.goto(`${base}/${flow}`)
      await expect(page.getByTestId('loading')).toBeHidden()
      await expect(page.getByTestId('balance')).toBeVisible()
      expect(await violations(page)).toEqual([])
    }
    await page.getByRole('button', { name: /20/ }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')

    await page.goto(`${base}/withdraw`)
    await page.locator('#withdraw-amount').fill('5')
    await page.locator('#withdraw-address').fill(TRON_ADDRESS)
    await page.getByTestId('withdraw-form').locator('button[type=submit]').click()
    await expect(page.getByTestId('withdraw-review')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('withdraw-review').getByRole('button').last().click()
    await expect(page.getByTestId('withdraw-outcome')).toBeVisible()
    expect(await violations(page)).toEqual([])
  })
}

for (const locale of ['en', 'ru', 'de'] as const)
  test(`four times as large, nothing runs out of the page: ${locale}`, async ({ page, stack, user, openCashier }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await openCashier({ locale })
    await fund(stack, user, '123456.123456')
    await expect(page.getByTestId('live-deposits')).toBeVisible()
    const base = page.url().replace(/\/deposit.*/, '')
    for (const flow of ['deposit', 'withdraw', 'buy', 'history']) {
      await page.goto(`${base}/${flow}`)
      await expect(page.getByTestId('loading')).toBeHidden()
      if (flow === 'deposit') await expect(page.getByTestId('deposit')).toBeVisible()
      if (flow === 'history') await expect(page.getByTestId('transaction')).toBeVisible()
      const out = await page.evaluate(() => {
        const page = document.querySelector('.page')?.getBoundingClientRect()
        return [...document.querySelectorAll('.page *')]
          .filter((element) => {
            const { left, right, width } = element.getBoundingClientRect()
            return width > 1 && page !== undefined && (left < page.left - 1 || right > page.right + 1)
          })
          .map((element) => element.outerHTML.slice(0, 120))
      })
      expect(out, flow).toEqual([])
    }
  })
