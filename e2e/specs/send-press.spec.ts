/** A press on Send is answered at once, by the act or by words, however soon after the review it comes. `SEND_RUNS=1000` makes more runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { NO_RATE_LIMIT } from '../fixtures/shared-options.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'

/** Milliseconds after the review appeared. */
const MOMENTS = [0, 20, 50, 100, 150, 200, 250, 300, 400, 500]
const RUNS = Number(process.env['SEND_RUNS'] ?? MOMENTS.length)

test.use({ stackOptions: NO_RATE_LIMIT })

test('a press on Send is answered at once', async ({ page, stack, user, openCashier }) => {
  test.setTimeout(60_000 + RUNS * 10_000)
  await openCashier()
  await fund(stack, user, '1000000')
  const cashier = new Cashier(page)
  await cashier.pick('USDT', 'Tron')
  await cashier.goTo('Withdraw')
  await expect(cashier.balance).toContainText('1,000,000')
  const review = page.getByTestId('withdraw-review')
  const send = review.getByRole('button').last()
  for (let run = 0; run < RUNS; run += 1) {
    await cashier.withdraw.fill(`0.${String(run + 1).padStart(5, '0')}1`, TRON_ADDRESS)
    await page.getByRole('button', { name: 'Review' }).click()
    await review.waitFor()
    await expect(page.getByTestId('loading')).toHaveCount(0)
    await sleep(MOMENTS[run % MOMENTS.length] ?? 0)
    const box = await send.boundingBox()
    expect(box).not.toBeNull()
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2)
    const answer = page
      .getByTestId('withdraw-outcome')
      .or(review.getByRole('alert'))
      .or(review.locator('button[aria-busy=true]'))
    await expect(answer.first(), `run ${run}`).toBeVisible({ timeout: 1000 })
    await expect(page.getByTestId('withdraw-outcome')).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).click()
  }
})
