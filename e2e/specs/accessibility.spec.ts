import { fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { EVERY_QUESTION } from '../fixtures/shared-options.ts'
import { expect, test } from '../fixtures/test.ts'
import { violations } from '../fixtures/violations.ts'
import { frameOf, untilPressable } from '../views/scrolled-host.ts'

test.use({ stackOptions: EVERY_QUESTION })

const APPEARANCES = [
  { name: 'light', locale: 'en', theme: 'light' },
  { name: 'dark', locale: 'en', theme: 'dark' },
  { name: 'Arabic', locale: 'ar', theme: 'light' },
] as const

for (const { name, locale, theme } of APPEARANCES) {
  test(`axe finds no violation on any screen or dialog: ${name}`, async ({
    page,
    embedded,
    stack,
    user,
    openCashier,
  }) => {
    test.slow()
    await openCashier({ locale, theme })
    await fund(stack, user, '2000')
    await expect(embedded.getByTestId('live-deposits').getByTestId('deposit')).toBeVisible()
    await expect(embedded.getByTestId('qr').locator('svg')).toBeVisible()
    expect(await violations(frameOf(page))).toEqual([])

    await embedded.getByTestId('currency-button').click()
    await expect(embedded.getByRole('dialog')).toBeVisible()
    expect(await violations(frameOf(page))).toEqual([])
    await page.keyboard.press('Escape')

    for (const flow of ['withdraw', 'buy', 'history']) {
      await embedded.getByTestId(`tab-${flow}`).click()
      await frameOf(page).waitForURL(`**/${flow}**`)
      await expect(embedded.getByTestId('loading')).toBeHidden()
      await expect(embedded.getByTestId('balance')).toBeVisible()
      expect(await violations(frameOf(page))).toEqual([])
    }
    await embedded
      .getByRole('button', { name: /2,000|٢٬٠٠٠/ })
      .first()
      .click()
    await expect(embedded.getByRole('dialog')).toBeVisible()
    expect(await violations(frameOf(page))).toEqual([])
    await page.keyboard.press('Escape')

    // Without the currency that the tabs keep, the page chooses that of the balance.
    const frame = frameOf(page)
    await frame.goto(frame.url().replace(/\/history.*/, '/withdraw'))
    await embedded.locator('#withdraw-amount').fill('101')
    await embedded.locator('#withdraw-address').fill(TRON_ADDRESS)
    await embedded.getByTestId('withdraw-form').locator('button[type=submit]').click()
    const send = embedded.getByTestId('withdraw-review').getByRole('button').last()
    // Until then it has other colours.
    await untilPressable(send)
    expect(await violations(frameOf(page))).toEqual([])
    await send.click()
    await expect(embedded.locator('#withdraw-last-characters')).toHaveAttribute('aria-invalid', 'true')
    expect(await violations(frameOf(page))).toEqual([])
    await embedded.locator('#withdraw-last-characters').fill(TRON_ADDRESS.slice(-4))
    await untilPressable(send)
    await send.click()
    await expect(embedded.getByTestId('withdraw-outcome')).toBeVisible()
    expect(await violations(frameOf(page))).toEqual([])
  })
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`a launch that failed, and an ended session, are readable: ${colorScheme}`, async ({
    page,
    stack,
    createSession,
    consoleFaults,
  }) => {
    await page.emulateMedia({ colorScheme })
    const { session_id, launch_url } = await createSession()
    await page.goto(launch_url)
    await page.waitForURL(`**/c/${session_id}**`)
    await page.goto(launch_url)
    await expect(page.getByRole('heading')).toBeVisible()
    expect(await violations(page.mainFrame())).toEqual([])
    await page.goto(`${stack.cashier.url}/c/${crypto.randomUUID()}/deposit`)
    await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible()
    expect(await violations(page.mainFrame())).toEqual([])
    consoleFaults.length = 0
  })
