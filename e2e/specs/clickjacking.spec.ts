import { setTimeout as sleep } from 'node:timers/promises'
import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { HostPage, onMerchant } from '../views/host-page.ts'

for (const { name, cover, warns } of [
  { name: 'a covered Send button shows a warning, and the next press counts', cover: 'all', warns: true },
  { name: 'a Send button that is cut off shows a warning, and the next press counts', cover: 'edge', warns: true },
  { name: 'an uncovered Send button shows no warning, wherever the pointer is', cover: 'nothing', warns: false },
])
  test(name, async ({ page, stack, user, createSession }) => {
    const host = await HostPage.open({
      page,
      publish: onMerchant(stack.merchant.url),
      cashierUrl: stack.cashier.url,
      token: async () => (await createSession({ flows: ['withdraw'] })).launch_token,
    })
    await host.mount('cashier')
    const cashier = host.cashier('cashier')
    await host.ready('cashier')
    await fund(stack, user, '10')
    await cashier.getByRole('button', { name: /^Currency: / }).click()
    await cashier.getByRole('combobox').fill('USDT')
    await cashier.getByRole('option', { name: /USDT.*Tron/s }).click()
    await expect(cashier.getByTestId('balance')).toContainText('10')
    const review = cashier.getByTestId('withdraw-review')
    const calls = async (): Promise<unknown[]> => {
      const answer = await stack.sandbox.control.call('GET', `/calls?operation=withdraw&user_reference=${user}`)
      return (answer as { calls: unknown[] }).calls
    }
    await cashier.getByLabel('Amount').fill('3')
    await cashier.getByLabel('To address').fill(TRON_ADDRESS)
    await cashier.getByRole('button', { name: 'Review' }).click()
    await expect(review).toBeVisible()
    const send = review.getByRole('button', { name: /^Send / })
    if (cover === 'edge') {
      const box = await send.boundingBox()
      await page.evaluate(
        (bottom) => {
          const target = document.querySelector<HTMLElement>('#cashier')
          if (!target) return
          target.style.overflow = 'hidden'
          target.style.height = `${bottom - target.getBoundingClientRect().top - 4}px`
        },
        (box?.y ?? 0) + (box?.height ?? 0),
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
    // Longer than the browser takes to report that the button is covered.
    await sleep(1000)
    // Without Playwright's own scrolling, which would bring all of it into view.
    if (cover === 'edge') {
      const box = await send.boundingBox()
      await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
    } else await send.click()

    if (warns) {
      await expect(review.getByRole('alert')).toHaveText(
        /^Something covers this button, or it is not wholly on the screen\./,
      )
      expect(await calls()).toEqual([])
      await expect(send).not.toHaveAttribute('aria-disabled')
      await send.click()
    }
    await expect(cashier.getByTestId('withdraw-outcome')).toContainText('Processing')
    expect(await calls()).toHaveLength(1)
  })
