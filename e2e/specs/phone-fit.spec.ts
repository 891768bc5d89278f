/** Sizes of targets and texts on a phone, in the merchant's frame, in each language. */
import type { FrameLocator, Page } from 'playwright/test'
import { LOCALES } from '../../packages/testing/src/texts.ts'
import { currencyOf, fund } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { openEmbedded } from '../views/host-page.ts'

const LONG = '1234567890.123456789012345678'

const SCREENS = { withdraw: 'withdraw-form', buy: 'buy-form', history: 'history', deposit: 'address' } as const

/** Shows one cashier in any language. */
async function openHost(page: Page, stack: Stack, token: () => Promise<string>) {
  const host = await openEmbedded(page, stack, token)
  const frame = host.cashier('cashier')
  return async (locale: (typeof LOCALES)[number]): Promise<FrameLocator> => {
    await host.update('cashier', { locale })
    await expect(frame.locator('html')).toHaveAttribute('lang', locale)
    await expect(frame.getByTestId('balance')).toBeVisible()
    return frame
  }
}

/** The number of lines of the visible elements. */
const linesOf = (frame: FrameLocator, selector: string): Promise<number> =>
  frame.locator('body').evaluate((body, found) => {
    const shown = [...body.querySelectorAll(found)].filter((element) => element.getBoundingClientRect().height > 0)
    return new Set(shown.map((element) => Math.round(element.getBoundingClientRect().top))).size
  }, selector)

/** Fields and buttons that are too small, with their HTML and size. */
const tooSmall = (frame: FrameLocator): Promise<string[]> =>
  frame.locator('body').evaluate((body) =>
    [...body.querySelectorAll('a[href], button, select, textarea, input:not([type=hidden])')].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      if (width <= 1 || element.closest('label') !== null) return []
      const isField = element.matches('select, textarea, input')
      const font = parseFloat(getComputedStyle(element).fontSize)
      const small = width < 43.5 || height < 43.5 || (isField && font < 16)
      return small ? [`${element.outerHTML.slice(0, 90)} ${width} by ${height}, ${font} px`] : []
    }),
  )

/** Numbers of six or more characters that are broken over two lines, or cross the edge of the page. */
const brokenNumbers = (frame: FrameLocator): Promise<string[]> =>
  frame.locator('body').evaluate((body) => {
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
    const broken: string[] = []
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      // Skips texts for screen readers, and addresses and references, which may break at any character.
      if (node.parentElement?.closest('.sr-only, .font-mono')) continue
      for (const { index, 0: number } of (node.textContent ?? '').matchAll(/[\d.,]{6,}/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + number.length)
        const boxes = [...range.getClientRects()].filter(({ height }) => height > 1)
        if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) broken.push(`${number} is broken`)
        if (boxes.some(({ left, right }) => left < 0 || right > innerWidth)) broken.push(`${number} is over the edge`)
      }
    }
    return broken
  })

/** The contrast between the field's border and its surroundings. */
const borderContrast = (frame: FrameLocator): Promise<number> =>
  frame.locator('body').evaluate((body) => {
    const drawing = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const luminance = (colour: string): number => {
      if (!drawing) throw new Error('no canvas')
      drawing.fillStyle = colour
      drawing.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0] = [...drawing.getImageData(0, 0, 1, 1).data].map((value) => {
        const part = value / 255
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const box = body.querySelector('#withdraw-amount')?.parentElement
    if (!box) throw new Error('no field')
    const style = getComputedStyle(box)
    const [light = 0, dark = 0] = [style.borderTopColor, style.backgroundColor].map(luminance).sort((a, b) => b - a)
    return (light + 0.05) / (dark + 0.05)
  })

test.describe('390 pixels wide', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('targets, fields, amounts, tabs and filters in each language', async ({ page, stack, user, createSession }) => {
    await fund(stack, user, LONG, 'ETH', 'Ethereum')
    const open = await openHost(page, stack, async () => (await createSession()).launch_token)
    for (const locale of LOCALES) {
      const frame = await open(locale)
      const cashier = new Cashier(frame, { locale })
      for (const flow of ['withdraw', 'buy', 'history', 'deposit'] as const) {
        await cashier.goTo(flow)
        await expect(frame.getByTestId(SCREENS[flow])).toBeVisible()
        if (flow === 'history') {
          await expect(cashier.history.rows()).toHaveCount(1)
          expect(await linesOf(frame, '[role=group] > a, #history-range'), `${locale}: lines of filters`).toBe(1)
        }
        if (flow === 'withdraw') expect(await borderContrast(frame)).toBeGreaterThanOrEqual(3)
        expect(await tooSmall(frame), `${locale}: ${flow}`).toEqual([])
        expect(await brokenNumbers(frame), `${locale}: ${flow}`).toEqual([])
        expect([1, 2]).toContain(await linesOf(frame, 'nav a[data-testid^=tab-]'))
      }
    }
  })

  test('a header and a row have eight decimals at most, details all of them', async ({
    page,
    stack,
    user,
    createSession,
  }) => {
    await fund(stack, user, LONG, 'ETH', 'Ethereum')
    const open = await openHost(page, stack, async () => (await createSession()).launch_token)
    const frame = await open('en')
    const cashier = new Cashier(frame)
    await expect(cashier.balance).toContainText('1,234,567,890.12345678\u2026 ETH')
    await cashier.goTo('history')
    await expect(cashier.history.rows()).toContainText('1,234,567,890.12345678\u2026 ETH')
    await cashier.history.rows().click()
    await expect(cashier.history.details()).toContainText('1,234,567,890.123456789012345678 ETH')
    expect(await brokenNumbers(frame)).toEqual([])
  })

  // At top level, because a merchant's page does not show the account.
  test('in Arabic the account is on the correct side', async ({ page, openOnTop }) => {
    await openOnTop({ locale: 'ar', account_label: 'maria@example.com' })
    const gap = await page.getByTestId('account-label').evaluate((label) => {
      const range = document.createRange()
      range.selectNodeContents(label)
      return document.documentElement.clientWidth - range.getBoundingClientRect().right
    })
    expect(gap).toBeLessThan(30)
  })
})

test.describe('320 pixels wide', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('the tabs are in one row or two by two', async ({ page, stack, createSession }) => {
    const open = await openHost(page, stack, async () => (await createSession()).launch_token)
    for (const locale of LOCALES) {
      const frame = await open(locale)
      await expect(frame.getByTestId('address')).toBeVisible()
      const rows = await frame.locator('nav a[data-testid^=tab-]').evaluateAll((tabs) => {
        const tops = tabs.map((tab) => Math.round(tab.getBoundingClientRect().top))
        return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length)
      })
      expect([[4], [2, 2]], locale).toContainEqual(rows)
    }
  })

  test('a long balance is whole in the header, and large enough to read in the picker', async ({
    page,
    stack,
    user,
    createSession,
  }) => {
    const { api } = stack.cashier
    const [usdt, eth] = [await currencyOf(stack, 'USDT', 'Tron'), await currencyOf(stack, 'ETH', 'Ethereum')]
    await api.tellRates({ [usdt]: '1', [eth]: '2500' })
    await api.adjust(user, usdt, '123456789012345678901.123456789012345678')
    await api.adjust(user, eth, '123456789012.12345678')
    const open = await openHost(page, stack, async () => (await createSession()).launch_token)
    const frame = await open('en')
    const cashier = new Cashier(frame)
    await cashier.pick('USDT', 'Tron')
    await expect(cashier.balance).toContainText('123,456,789,012,345,678,901.12345678\u2026')
    expect(await brokenNumbers(frame)).toEqual([])
    const lines = await cashier.balance.locator('bdi bdi > span').evaluate((amount) => amount.getClientRects().length)
    expect(lines).toBe(1)

    await frame.getByTestId('currency-button').click()
    const amount = frame.getByRole('option').getByText('123,456,789,012.12345678', { exact: true })
    const fontSize = await amount.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))
    expect(fontSize).toBeGreaterThanOrEqual(10)
    await expect(frame.getByRole('option').getByTestId('approximate-value')).toHaveCount(2)
    expect(await brokenNumbers(frame)).toEqual([])
  })
})
