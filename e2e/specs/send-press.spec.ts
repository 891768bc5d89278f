/**
 * A press on Send sends or shows a message, even directly after the review has appeared. While a press cannot arrive,
 * the button says so. `SEND_RUNS=1000` makes more runs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FrameLocator, Page } from 'playwright/test'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { withdrawCalls } from '../fixtures/sandbox-records.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

/** Milliseconds after the review has appeared. */
const MOMENTS = [0, 20, 50, 100, 150, 200, 250, 300, 400, 500]
const RUNS = Number(process.env['SEND_RUNS'] ?? MOMENTS.length)

test.use({ viewport: { width: 480, height: 1000 } })

/** The screens and messages that answer a press: the outcome, a busy button, or an alert. */
const ANSWERS = [
  '[data-testid="withdraw-outcome"]',
  '[data-testid="withdraw-review"] button[aria-busy="true"]',
  '[data-testid="withdraw-review"] [role="alert"]',
].join()
/** The limit for the page on a slow machine, without the network. */
const ANSWERED_WITHIN_MS = 6000

/** Measures in the page the time from the next press that reaches it until an answer. */
const watchPress = (root: Page | FrameLocator): Promise<void> =>
  root.locator('body').evaluate((body, answers) => {
    const press: { at?: number; answeredAfter?: number } = {}
    Object.assign(window, { press })
    const observer = new MutationObserver(() => {
      if (press.at === undefined || !body.querySelector(answers)) return
      press.answeredAfter = performance.now() - press.at
      observer.disconnect()
    })
    observer.observe(body, { attributes: true, childList: true, subtree: true })
    const pressed = (): void => {
      press.at = performance.now()
    }
    addEventListener('pointerdown', pressed, { capture: true, once: true })
  }, ANSWERS)

const answeredAfter = (root: Page | FrameLocator): Promise<number> =>
  root
    .locator('body')
    .evaluate(() => (Reflect.get(window, 'press') as { answeredAfter?: number }).answeredAfter ?? Infinity)

/** Presses like a user, without waiting for an enabled button; resolves with the text of the button at that time. */
async function pressSend(page: Page, root: Page | FrameLocator): Promise<{ readonly said: string }> {
  const button = root.getByTestId('withdraw-review').getByRole('button').last()
  await watchPress(root)
  const [box, said] = await Promise.all([button.boundingBox(), button.innerText()])
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2)
  return { said }
}

async function pressAtEachMoment(page: Page, root: Page | FrameLocator): Promise<void> {
  const cashier = new Cashier(root)
  const review = root.getByTestId('withdraw-review')
  const works = cashier.withdraw.outcome().or(review.locator('button[aria-busy=true]'))
  const answer = works.or(review.getByRole('alert')).first()
  for (let run = 0; run < RUNS; run += 1) {
    await test.step(`run ${run}`, async () => {
      await cashier.withdraw.fill(`0.${String(run + 1).padStart(5, '0')}1`, TRON_ADDRESS)
      await cashier.withdraw.review()
      await review.waitFor()
      await sleep(MOMENTS[run % MOMENTS.length] ?? 0)
      const first = await pressSend(page, root)
      if (first.said === 'Checking') {
        const ready = review.getByRole('button', { name: /^Send / })
        await expect(ready.or(works).first()).toBeVisible()
        if (!(await answer.isVisible())) await pressSend(page, root)
      }
      await expect(answer, `after a press on ${first.said}`).toBeVisible()
      expect(await answeredAfter(root), `after a press on ${first.said}`).toBeLessThan(ANSWERED_WITHIN_MS)
      if (await review.getByRole('alert').isVisible()) await cashier.withdraw.send()
      await expect(cashier.withdraw.outcome()).toBeVisible()
      await cashier.done()
      await cashier.withdraw.form().waitFor()
    })
  }
}

test('at top level', async ({ page, openWithdrawForm }) => {
  test.setTimeout(300_000 + RUNS * 20_000)
  const cashier = await openWithdrawForm('1000000', 'top')
  await expect(cashier.balance).toContainText('1,000,000')
  await pressAtEachMoment(page, page)
})

test.describe('in the frame of a merchant’s page', () => {
  test('at each moment', async ({ page, stack, user, openCashier, embedded }) => {
    test.setTimeout(300_000 + RUNS * 20_000)
    await openCashier({ flows: ['withdraw'] })
    await fund(stack, user, '1000000')
    const cashier = new Cashier(embedded)
    await cashier.pick('USDT', 'Tron')
    await expect(cashier.balance).toContainText('1,000,000')
    await pressAtEachMoment(page, embedded)
  })

  test('a press that arrives before the frame is steady gets a message', async ({
    stack,
    user,
    openCashier,
    embedded,
  }) => {
    await openCashier({ flows: ['withdraw'] })
    await fund(stack, user, '10')
    const cashier = new Cashier(embedded)
    await cashier.pick('USDT', 'Tron')
    await expect(cashier.balance).toContainText('10 USDT')
    await cashier.withdraw.fill('3', TRON_ADDRESS)
    // A key may be pressed in the moment in which the button appears.
    await embedded.locator('body').evaluate((body) => {
      const observer = new MutationObserver(() => {
        const buttons = body.querySelectorAll<HTMLElement>('[data-testid="withdraw-review"] button')
        const send = [...buttons].at(-1)
        if (!send) return
        observer.disconnect()
        Object.assign(window, { said: `${send.innerText}, disabled: ${send.getAttribute('aria-disabled') ?? 'no'}` })
        send.click()
      })
      observer.observe(body, { childList: true, subtree: true })
    })
    await cashier.withdraw.review()
    await expect(cashier.withdraw.alert()).toHaveText(/^This press did nothing: the button was not ready yet\./)
    expect(await embedded.locator('body').evaluate(() => Reflect.get(window, 'said') as unknown)).toBe(
      'Checking, disabled: true',
    )
    expect(await withdrawCalls(stack, user)).toBe(0)
    await cashier.withdraw.send()
    await expect(cashier.withdraw.outcome()).toContainText('Processing')
    expect(await withdrawCalls(stack, user)).toBe(1)
  })

  for (const amount of ['123456.789012345678', '123456789012345678901234567890.5'])
    test(`on a narrow phone the button becomes ready with ${amount} on it`, async ({
      page,
      stack,
      user,
      openCashier,
      embedded,
    }) => {
      await page.setViewportSize({ width: 320, height: 640 })
      await openCashier({ flows: ['withdraw'] })
      await fund(stack, user, `9${amount}`)
      const cashier = new Cashier(embedded)
      await cashier.pick('USDT', 'Tron')
      await cashier.withdraw.fill(amount, TRON_ADDRESS)
      await expect(cashier.balance).toContainText('USDT')
      await cashier.withdraw.review()
      const review = embedded.getByTestId('withdraw-review')
      const checking = review.getByRole('button', { name: 'Checking' })
      await expect(checking).toBeVisible()
      // Before the button is ready: Chromium drops presses on a frame that has moved within the last half second.
      await checking.scrollIntoViewIfNeeded()
      await expect(review.getByRole('button', { name: /^Send / })).toBeVisible()
      await cashier.withdraw.send()
      await expect(cashier.withdraw.outcome()).toBeVisible()
    })
})
