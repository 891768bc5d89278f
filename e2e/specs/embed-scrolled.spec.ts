/** In a long, scrolled merchant's page, the cashier shows dialogs on the screen and scrolls nothing. */
import type { FrameLocator, Locator, Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { ScrolledHost } from '../views/scrolled-host.ts'

const VIEW = { width: 390, height: 700 }

test.use({ viewport: VIEW })

/** Presses an element on the screen, without a driver's scrolling. */
async function pressSeen(page: Page, element: Locator): Promise<void> {
  const box = await element.boundingBox()
  expect(box).not.toBeNull()
  if (box) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

async function expectOnScreen(element: Locator): Promise<void> {
  const box = await element.boundingBox()
  expect(box?.y ?? -1).toBeGreaterThanOrEqual(0)
  expect((box?.y ?? VIEW.height) + (box?.height ?? 0)).toBeLessThanOrEqual(VIEW.height)
}

/** The position of the dialog at each animation frame since the press. */
const watchDialog = (cashier: FrameLocator) =>
  cashier.locator('body').evaluate((body) => {
    const tops: number[] = []
    Object.assign(window, { dialogTops: tops })
    const look = (): void => {
      const dialog = body.ownerDocument.querySelector('[data-dialog]')
      if (dialog) tops.push(dialog.getBoundingClientRect().top)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })

test('details of a row far down are on the screen from their first frame, and the merchant’s page does not scroll', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  for (let at = 1; at <= 12; at += 1) await fund(stack, user, String(at))
  const host = await ScrolledHost.open(
    page,
    stack,
    async () => (await createSession({ flows: ['history'] })).launch_token,
  )
  const { cashier } = host
  await expect(cashier.getByTestId('transaction')).toHaveCount(12)
  await host.scrollTo(700)
  const row = cashier.getByTestId('transaction').nth(8)
  await expectOnScreen(row)
  await watchDialog(cashier)

  await pressSeen(page, row)
  const dialog = cashier.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect(dialog).toBeInViewport({ ratio: 0.9 })
  expect(await host.scroll()).toBe(700)
  const tops = await cashier.locator('body').evaluate(() => (window as unknown as { dialogTops: number[] }).dialogTops)
  // It never moves, except the few pixels of its entrance animation.
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(12)

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(row).toBeFocused()
  expect(await host.scroll()).toBe(700)
})

test('the picker opens on the screen with the focus, and the merchant’s page does not scroll', async ({
  page,
  stack,
  createSession,
}) => {
  const host = await ScrolledHost.open(page, stack, async () => (await createSession()).launch_token)
  const { cashier } = host
  await expect(cashier.getByTestId('address')).toBeVisible()
  const button = cashier.getByTestId('currency-button')
  const top = (await button.boundingBox())?.y ?? 0
  await host.scrollTo((await host.scroll()) + top - 20)
  const before = await host.scroll()
  await pressSeen(page, button)
  await expect(cashier.getByRole('combobox')).toBeFocused()
  await expectOnScreen(cashier.getByRole('combobox'))
  expect(await host.scroll()).toBe(before)
})

test('“Older” shows the start of the next rows', async ({ page, stack, user, createSession }) => {
  for (let at = 1; at <= 45; at += 1) await fund(stack, user, String(at))
  const host = await ScrolledHost.open(
    page,
    stack,
    async () => (await createSession({ flows: ['history'] })).launch_token,
  )
  const { cashier } = host
  const older = cashier.getByTestId('older')
  await older.scrollIntoViewIfNeeded()
  const first = await cashier.getByTestId('transaction').first().innerText()
  await pressSeen(page, older)
  await expect(cashier.getByTestId('transaction').first()).not.toHaveText(first)
  await expect(cashier.getByTestId('transaction').first()).toBeInViewport()
})

test('a review replaces the form without scrolling; a refused field is brought into view', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  await fund(stack, user, '9')
  const host = await ScrolledHost.open(
    page,
    stack,
    async () => (await createSession({ flows: ['withdraw'] })).launch_token,
  )
  const { cashier: frame } = host
  const cashier = new Cashier(frame)
  await cashier.pick('USDT', 'Tron')
  await cashier.withdraw.fill('4', TRON_ADDRESS)
  const button = frame.getByRole('button', { name: 'Review' })
  await host.scrollTo(1e6)
  await host.scrollTo((await host.scroll()) + ((await button.boundingBox())?.y ?? 0) - 40)
  const before = await host.scroll()
  await pressSeen(page, button)
  await expect(frame.getByRole('heading', { name: 'Check before you send' })).toBeFocused()
  expect(await host.scroll()).toBe(before)

  const back = frame.getByRole('button', { name: 'Back', exact: true })
  await host.scrollTo(before + ((await back.boundingBox())?.y ?? 0) - 300)
  await pressSeen(page, back)
  const amount = frame.getByLabel('Amount')
  await amount.fill('')
  const low = await button.boundingBox()
  await host.scrollTo((await host.scroll()) + (low?.y ?? 0) - 10)
  await expect(amount).not.toBeInViewport()
  await pressSeen(page, button)
  await expect(amount).toBeFocused()
  await expect(amount).toBeInViewport()
})
