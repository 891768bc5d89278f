/** React listens before it has hydrated the whole page. A press or choice in this time takes effect exactly once. */
import type { Page } from 'playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { frameOf } from '../views/scrolled-host.ts'

/**
 * Runs `action` in the page's next document, `ms` after React has hydrated the outermost part, as its router shows by
 * writing to the browser's history. The inner parts are hydrated a moment later.
 */
const whileHydrating = (page: Page, ms: number, action: () => unknown): Promise<unknown> =>
  page.addInitScript(`{
    const replace = history.replaceState
    history.replaceState = function (...args) {
      history.replaceState = replace
      if (sessionStorage.acted === undefined) setTimeout(${action.toString()}, ${ms})
      sessionStorage.acted = true
      return replace.apply(this, args)
    }
  }`)

for (const ms of [0, 10]) {
  test(`a range of the history, after ${ms} ms`, async ({ page, embedded, stack, openCashier }) => {
    const session = await openCashier({ flows: ['history'] })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await whileHydrating(page, ms, () => {
      const select = document.querySelector('select')
      if (!select) throw new Error('no range')
      select.value = 'this_month'
      for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }))
    })
    await frameOf(page).goto(`${stack.cashier.url}/c/${session.session_id}/history`, { waitUntil: 'commit' })
    await expect.poll(() => frameOf(page).url()).toContain('range=this_month')
    await expect(embedded.getByTestId('time-range')).toHaveValue('this_month')
  })
}

test('a button', async ({ page, embedded, stack, openCashier }) => {
  const session = await openCashier()
  await page.addInitScript(() => {
    const copied: string[] = []
    Object.assign(window, { copied })
    navigator.clipboard.writeText = (text) => Promise.resolve(void copied.push(text))
  })
  // From now on the server knows the address, and the page has it from the beginning.
  await expect(embedded.getByTestId('copy-address')).toBeVisible()
  await whileHydrating(page, 0, () => {
    const button = document.querySelector<HTMLElement>('[data-testid="copy-address"]')
    if (!button) throw new Error('no button')
    button.click()
  })
  await frameOf(page).goto(`${stack.cashier.url}/c/${session.session_id}/deposit`, { waitUntil: 'commit' })
  await expect(embedded.getByRole('button', { name: 'Address copied' })).toBeVisible()
  expect(await frameOf(page).evaluate(() => Reflect.get(window, 'copied') as unknown)).toHaveLength(1)
})
