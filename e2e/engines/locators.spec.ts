/** Locators of the page object mean the same in each engine. The page has elements that are easy to confuse. */
import type { EnginePage } from './engine.ts'
import { engineTest as test } from './engine-test.ts'
import { engineExpect as expect } from './engine-expect.ts'

async function show(page: EnginePage, html: string): Promise<void> {
  await page.evaluate((html) => {
    document.body.innerHTML = html
  }, html)
}

test('roles and names', async ({ shop: { page } }) => {
  await show(
    page,
    `<h1>Pay</h1><h2>Pay</h2>
    <nav><a href="#pay">Pay</a><a>Pay without a target</a></nav>
    <button aria-label="Pay now">no name of its own</button><button hidden>Pay later</button>
    <div aria-hidden="true"><button>Pay unseen</button></div>
    <button style="visibility: hidden">Pay invisible</button><div role="button">  Pay
      by card </div>
    <section aria-label="News"><p class="one">first</p></section><section><p class="one">second</p></section>
    <div role="dialog" aria-labelledby="title"><h3 id="title">Choose</h3><input role="combobox" aria-label="Search" />
      <ul role="listbox"><li role="option">USDT <b>Tron</b></li><li role="option">USDT <b>Ethereum</b></li></ul></div>
    <article><footer>not the page’s</footer></article><footer>the page’s</footer>`,
  )
  await expect(page.getByRole('heading')).toHaveCount(3)
  await expect(page.getByRole('heading', { level: 2, name: 'Pay', exact: true })).toHaveCount(1)
  await expect(page.getByRole('link')).toHaveCount(1)
  await expect(page.getByRole('navigation').getByRole('link', { name: 'pay' })).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'pay', exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Pay now', exact: true })).toContainText('no name of its own')
  await expect(page.getByRole('button', { name: 'Pay by card', exact: true })).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'News' }).locator('.one')).toContainText('first')
  await expect(page.getByRole('contentinfo')).toContainText('the page’s')
  const dialog = page.getByRole('dialog', { name: 'Choose', exact: true })
  await expect(dialog.getByRole('option', { name: /USDT.*Tron/ })).toHaveCount(1)
  await expect(dialog.getByRole('option').first()).toContainText('Tron')
  await expect(page.getByRole('dialog', { name: 'Other' })).toHaveCount(0)
  expect(await page.getByRole('dialog', { name: 'Other' }).or(dialog).first().isVisible()).toBe(true)
  await expect(page.locator('.one').or(page.locator('h1'))).toHaveCount(3)
  await expect(page.locator('.one').or(page.locator('h1')).first()).toContainText('Pay')
  await expect(page.locator('h1')).not.toContainText('first')
})

test('fields', async ({ shop: { page } }) => {
  await show(
    page,
    `<label>Amount <input value="7" oninput="this.dataset.inputs = (this.dataset.inputs ?? '') + 'i'" /></label>
    <label for="to">To address</label><textarea id="to"></textarea><input aria-label="To" />
    <label>Country <select onchange="this.dataset.changed = this.value">
      <option value="">none</option><option value="FR">France</option><option value="DE">Germany</option></select></label>
    <label>Other <select><option value="FR">France</option></select></label>`,
  )
  const amount = page.getByLabel('Amount')
  await amount.fill('12.5')
  await expect(amount).toHaveValue('12.5')
  expect(await amount.getAttribute('data-inputs')).toMatch(/^i+$/)
  await page.getByLabel('To', { exact: true }).fill('short')
  await page.getByLabel('to address').fill('long')
  expect(await page.locator('#to').inputValue()).toBe('long')
  const country = page.getByLabel('Country')
  await country.selectOption('DE')
  await expect(country).toHaveAttribute('data-changed', 'DE')
  await country.selectOption('France')
  await expect(country).toHaveAttribute('data-changed', 'FR')
})

test('waits for elements that are not there yet', async ({ shop: { page } }) => {
  await show(
    page,
    `<p role="alert">Wait</p><div style="height: 3000px"></div>
    <button disabled onclick="this.textContent = 'Done'">Go</button>`,
  )
  const late = page.frameLocator('#late')
  expect(await late.getByRole('button').isVisible()).toBe(false)
  await expect(late.getByRole('button')).toHaveCount(0)
  await page.getByRole('alert').evaluate((alert) => {
    setTimeout(() => {
      document.querySelector('button')?.removeAttribute('disabled')
      alert.remove()
      const frame = document.createElement('iframe')
      frame.id = 'late'
      frame.srcdoc = '<button onclick="this.textContent = 42">Inner</button>'
      document.body.prepend(frame)
    }, 300)
  })
  await page.getByRole('button', { name: 'Go' }).click()
  await expect(page.getByRole('button', { name: 'Done' })).toHaveCount(1)
  await page.getByRole('alert').waitFor({ state: 'hidden' })
  await late.getByRole('button', { name: 'Inner' }).click()
  await expect(late.getByRole('button')).toContainText('42')
  expect(await late.locator('button').evaluate(async (button) => Promise.resolve(Number(button.innerText) + 1))).toBe(
    43,
  )

  await page.locator('#late').evaluate((frame) => {
    const again = document.createElement('iframe')
    again.id = 'late'
    again.srcdoc = '<p>Replaced</p>'
    frame.replaceWith(again)
  })
  await expect(late.locator('p')).toContainText('Replaced')
})
