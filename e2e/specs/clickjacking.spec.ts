import { setTimeout as sleep } from 'node:timers/promises'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { withdrawCalls } from '../fixtures/sandbox-records.ts'
import { EVERY_QUESTION } from '../fixtures/shared-options.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test, type TestFixtures } from '../fixtures/test.ts'
import { untilSeen } from '../../packages/testing/src/until-seen.ts'

test.use({ stackOptions: EVERY_QUESTION })

type Opened = Pick<TestFixtures, 'user' | 'openCashier' | 'embedded'> & { readonly stack: Stack }

/** The review of a withdrawal in a frame of a merchant's page. */
async function openReview(
  { stack, user, openCashier, embedded: cashier }: Opened,
  { balance, amount }: { readonly balance: string; readonly amount: string },
) {
  await openCashier({ flows: ['withdraw'] })
  await fund(stack, user, balance)
  await cashier.getByRole('button', { name: /^Currency: / }).click()
  await cashier.getByRole('combobox').fill('USDT')
  await cashier.getByRole('option', { name: /USDT.*Tron/s }).click()
  await expect(cashier.getByTestId('balance')).toContainText(balance)
  await cashier.getByLabel('Amount').fill(amount)
  await cashier.getByLabel('To address').fill(TRON_ADDRESS)
  await cashier.getByRole('button', { name: 'Review' }).click()
  const review = cashier.getByTestId('withdraw-review')
  await expect(review).toBeVisible()
  return { review, send: review.getByRole('button', { name: /^Send / }) }
}

for (const { name, cover, cutPx, warns } of [
  { name: 'a covered Send button shows a warning, and the next press counts', cover: 'all', cutPx: 0, warns: true },
  {
    name: 'a Send button that is cut off shows a warning, and the next press counts',
    cover: 'edge',
    cutPx: 4,
    warns: true,
  },
  { name: 'a Send button that is cut off by half a pixel shows no warning', cover: 'edge', cutPx: 0.5, warns: false },
  {
    name: 'an uncovered Send button shows no warning, at any position of the pointer',
    cover: 'nothing',
    cutPx: 0,
    warns: false,
  },
])
  test(name, async ({ page, stack, user, openCashier, embedded }) => {
    const { review, send } = await openReview({ stack, user, openCashier, embedded }, { balance: '10', amount: '3' })
    const calls = () => withdrawCalls(stack, user)
    if (cover === 'edge') {
      await send.scrollIntoViewIfNeeded()
      const box = await send.boundingBox()
      await page.evaluate(
        (bottom) => {
          const target = document.querySelector<HTMLElement>('#cashier')
          if (!target) return
          target.style.overflow = 'hidden'
          target.style.height = `${bottom - target.getBoundingClientRect().top}px`
        },
        (box?.y ?? 0) + (box?.height ?? 0) - cutPx,
      )
    }
    if (cover === 'all')
      await page.evaluate(() => {
        const bait = document.createElement('div')
        bait.textContent = 'You have won'
        bait.style.cssText = 'position:fixed; inset:0; background:#fff; z-index:9; pointer-events:none'
        document.body.append(bait)
      })
    if (cover !== 'edge') await send.hover()
    // Longer than the browser needs to report that the button is covered.
    await sleep(2000)
    // Without Playwright's own scrolling, which would bring the whole button into view.
    if (cover === 'edge') {
      const box = await send.boundingBox()
      await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
    } else await send.click()

    if (warns) {
      await expect(review.getByRole('alert')).toHaveText(
        /^Something covers this button, or part of it is off the screen\./,
      )
      expect(await calls()).toBe(0)
      await expect(send).not.toHaveAttribute('aria-disabled')
      // The warning makes the page longer, but the button stays on the screen.
      if (cover === 'all') await expect(send).toBeInViewport({ ratio: 0.9 })
      await send.click()
    }
    await expect(embedded.getByTestId('withdraw-outcome')).toContainText('Processing')
    expect(await calls()).toBe(1)
  })

test('if the browser does not report what covers a button, presses alone send no large amount', async ({
  page,
  stack,
  user,
  openCashier,
  embedded,
}) => {
  // Like Firefox and Safari: without version 2 of IntersectionObserver.
  await page.addInitScript(() => {
    Reflect.deleteProperty(IntersectionObserverEntry.prototype, 'isVisible')
  })
  const { review, send } = await openReview(
    { stack, user, openCashier, embedded },
    { balance: '500', amount: '100.01' },
  )
  const last = review.getByLabel('Last four characters of the address')
  await expect(last).toHaveAccessibleDescription('Read them in your wallet, not on this page.')
  await page.evaluate(() => {
    const bait = document.createElement('div')
    bait.style.cssText = 'position:fixed; inset:0; background:#fff; z-index:9; pointer-events:none'
    document.body.append(bait)
  })
  for (let press = 0; press < 3; press += 1) await send.click()
  await expect(last).toBeFocused()
  await expect(last).toHaveAttribute('aria-invalid', 'true')
  await expect(last).toHaveAccessibleDescription(/^Enter the last four characters of the address\./)
  expect(await withdrawCalls(stack, user)).toBe(0)

  await last.fill(TRON_ADDRESS.slice(-4))
  await send.click()
  await expect(embedded.getByTestId('withdraw-outcome')).toContainText('Processing')
  expect(await withdrawCalls(stack, user)).toBe(1)
})

test('the last characters are typed and sent with the keyboard alone', async ({
  page,
  embedded,
  stack,
  user,
  openWithdrawForm,
}) => {
  const cashier = await openWithdrawForm('500')
  await expect(cashier.balance).toContainText('500')
  await cashier.withdraw.fill('101', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(embedded.getByRole('heading', { name: 'Check before you send' })).toBeFocused()
  const last = embedded.getByLabel('Last four characters of the address')
  await page.keyboard.press('Tab')
  await expect(last).toBeFocused()
  await page.keyboard.type('abcd')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const send = embedded.getByTestId('withdraw-review').getByRole('button').last()
  await expect(send).toBeFocused()
  await expect(send).toHaveText(/^Send /)
  await send.evaluate(untilSeen)
  await page.keyboard.press('Enter')
  await expect(last).toBeFocused()
  await expect(last).toHaveAttribute('aria-invalid', 'true')
  await expect(last).toHaveAccessibleDescription(/^The address above ends differently\./)
  expect(await withdrawCalls(stack, user)).toBe(0)

  await last.selectText()
  await page.keyboard.type(TRON_ADDRESS.slice(-4).toLowerCase())
  await expect(last).toHaveAttribute('aria-invalid', 'false')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await send.evaluate(untilSeen)
  await page.keyboard.press('Enter')
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
  expect(await withdrawCalls(stack, user)).toBe(1)
})

test('up to the limit no characters are asked for', async ({ embedded, openWithdrawForm }) => {
  const cashier = await openWithdrawForm('500')
  await expect(cashier.balance).toContainText('500')
  await cashier.withdraw.fill('100', TRON_ADDRESS)
  await cashier.withdraw.review()
  await expect(embedded.getByRole('button', { name: /^Send / })).toBeVisible()
  await expect(embedded.getByLabel('Last four characters of the address')).toHaveCount(0)
  await cashier.withdraw.send()
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
})

test('at top level no other site can cover a button, so a button that the browser reports as covered sends', async ({
  page,
  openWithdrawForm,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(IntersectionObserverEntry.prototype, 'isVisible', { get: () => false })
  })
  const cashier = await openWithdrawForm('10', 'top')
  await expect(cashier.balance).toContainText('10')
  await cashier.withdraw.all('3', TRON_ADDRESS)
  await expect(cashier.withdraw.outcome()).toContainText('Processing')
})
