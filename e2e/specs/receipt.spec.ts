/** Paper: the receipt of a transaction, and the history as a file. */
import { readFileSync } from 'node:fs'
import { currencyOf, fund } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a receipt in the frame has what a person must show, and is printed alone', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
}) => {
  await openCashier({ merchant_name: 'Acme Games', account_label: 'maria@example.com' })
  await fund(stack, user, '12.5', 'USDT', 'Ethereum')
  const cashier = new Cashier(embedded)
  await cashier.goTo('History')
  await cashier.history.rows().click()
  await cashier.history.details().getByRole('button', { name: 'Receipt' }).click()
  const receipt = embedded.getByTestId('receipt')
  await expect(receipt).toBeFocused()
  await expect(embedded.getByRole('dialog', { name: 'Receipt' })).toBeVisible()
  for (const text of ['Acme Games', 'Receipt', 'maria@example.com', '+\u00a012.5\u00a0USDT', 'Deposit', 'Credited'])
    await expect(receipt).toContainText(text)
  await expect(receipt).toContainText(/Value at the time12\.50\u00a0USD/)
  await expect(receipt).toContainText('Tether USD on Ethereum')
  await expect(receipt).toContainText(/Transaction hash0x[0-9a-f]{64}/)
  await expect(receipt).toContainText(/Transaction reference[0-9a-f-]{36}/)
  await expect(receipt).toContainText(/Created.*\(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC\)/)
  const box = await receipt.boundingBox()
  expect(box?.width).toBeLessThanOrEqual(390)
  expect(await receipt.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)

  const frame = frameOf(page)
  const title = await frame.title()
  // The dialog of the headless browser's printer never opens, but its events come.
  await frame.evaluate(() => {
    window.print = () => window.dispatchEvent(new Event('beforeprint'))
  })
  await embedded.getByRole('button', { name: 'Print or save as PDF' }).click()
  await page.emulateMedia({ media: 'print' })
  expect(await frame.title()).toMatch(/^Receipt [0-9a-f-]{36}$/)
  const visible = await frame.evaluate(() =>
    Array.from(document.body.children, (child) =>
      getComputedStyle(child).display === 'none' ? '' : child.className,
    ).filter(Boolean),
  )
  expect(visible).toEqual(['receipt-sheet'])
  await expect(frame.locator('.receipt-sheet')).toContainText('Acme Games')
  await page.emulateMedia({ media: null })
  await frame.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  expect(await frame.title()).toBe(title)
  await expect(frame.locator('.receipt-sheet')).toHaveCount(0)

  await page.keyboard.press('Escape')
  await expect(receipt).toBeHidden()
  await cashier.history.rows().click()
  await expect(cashier.history.details()).toBeVisible()
})

test('a receipt is one page of paper, in the dark theme and in Arabic too', async ({ page, stack, user, openOnTop }, {
  outputPath,
}) => {
  await fund(stack, user, '0.000000000000000001', 'ETH', 'Ethereum')
  for (const [locale, theme] of [
    ['en', 'dark'],
    ['ar', 'light'],
  ] as const) {
    await openOnTop({ locale, theme, merchant_name: 'Acme Games', flows: ['history'] })
    const cashier = new Cashier(page)
    await cashier.history.rows().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^(Receipt|إيصال)$/ }).click()
    await expect(page.getByTestId('receipt')).toBeVisible()
    await page.screenshot({ path: outputPath(`receipt-${locale}-${theme}.png`) })
    const pdf = await page.pdf({ format: 'A4', path: outputPath(`receipt-${locale}.pdf`) })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    expect(pdf.toString('latin1')).not.toMatch(/\/URI/)
  }
})

test('a receipt is saved as a page that needs nothing else', async ({ page, embedded, stack, user, openCashier }) => {
  await openCashier({ merchant_name: '<b>Acme</b>', locale: 'de' })
  await fund(stack, user, '3', 'USDT', 'Tron')
  const cashier = new Cashier(embedded)
  await cashier.goTo('History')
  await cashier.history.rows().click()
  await cashier.history.details().getByRole('button', { name: 'Beleg' }).click()
  const saving = page.waitForEvent('download')
  await embedded.getByRole('button', { name: 'Als Datei speichern' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^receipt-[0-9a-f-]{36}\.html$/)
  const html = readFileSync(await file.path(), 'utf8')
  expect(html).toContain('<html lang="de" dir="ltr">')
  expect(html).toContain('&lt;b&gt;Acme&lt;/b&gt;')
  expect(html).not.toMatch(/<(script|link|img|a)\b|https:\/\/[^<\s]*\.(js|css)/)
})

test('the file has the whole list with its filters, not only the page; a failure is told', async ({
  page,
  embedded,
  stack,
  user,
  openCashier,
  consoleFaults,
}) => {
  const currency = await currencyOf(stack, 'USDT', 'Tron')
  await stack.sandbox.control.call('POST', '/transactions/seed', {
    user_reference: user,
    count: 145,
    currency_id: currency,
  })
  await openCashier({ locale: 'fr' })
  const cashier = new Cashier(embedded)
  await cashier.goTo('history')
  await expect(cashier.history.rows()).toHaveCount(20)
  const save = async (): Promise<readonly string[]> => {
    const saving = page.waitForEvent('download')
    await embedded.getByTestId('save-csv').click()
    return readFileSync(await (await saving).path(), 'utf8')
      .trimEnd()
      .split('\r\n')
  }
  const all = await save()
  expect(all).toHaveLength(146)
  expect(all[0]).toContain('"Valeur (USD)"')
  await embedded.getByRole('link', { name: 'Retraits' }).click()
  await frameOf(page).waitForURL(/type=Payout/)
  await expect(embedded.getByTestId('save-csv').or(embedded.getByTestId('empty'))).toBeVisible()
  await embedded.getByRole('link', { name: 'Dépôts' }).click()
  await frameOf(page).waitForURL(/type=Deposit/)
  const deposits = await save()
  expect(deposits.length).toBeGreaterThan(1)
  expect(deposits.length).toBeLessThanOrEqual(146)
  for (const line of deposits.slice(1)) expect(line).toMatch(/"(Dépôt|Achat)"/)

  await page.route('**/api/cashier/history.csv*', (route) => route.abort())
  await embedded.getByTestId('save-csv').click()
  await expect(embedded.getByRole('alert')).toContainText('Vérifiez votre connexion')
  consoleFaults.length = 0
})
