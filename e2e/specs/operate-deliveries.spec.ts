/** Deliveries to the merchant's webhook: in the console, and in the merchant's own admin. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { expect } from '../fixtures/console-test.ts'
import {
  deliveriesTest as test,
  giveUp,
  holdRetries,
  receiverSecret,
  refusedDeposit,
} from '../fixtures/deliveries-test.ts'
import { fund } from '../fixtures/money.ts'
import { violations } from '../fixtures/violations.ts'
import { openAdmin } from '../views/admin-page.ts'
import { openForeignSite } from '../views/foreign-site.ts'

const view = z.object({ view_url: z.string(), token: z.string(), expires_at: z.string() })

test('a failing delivery shows its attempts, and goes out when it is sent again', async ({
  page,
  stack,
  user,
  receiver,
  signIn,
}) => {
  await refusedDeposit(stack, receiver, user, 503, `Closed. ${receiverSecret}`)
  await signIn('agent')
  await page.goto(`/operate/deliveries?user=${user}`)
  const first = page.locator('[data-row]').last()
  await expect(first).toContainText('Failing')
  await expect(first).toContainText('503')
  // What was tried again since its page was opened is not sent again.
  holdRetries(stack, user)
  await first.getByRole('link', { name: /^Deposit/ }).click()
  await expect(page.getByRole('heading', { name: 'Delivery', exact: true })).toBeVisible()
  await expect(page.getByText('webhook-signature: v1,').first()).toBeVisible()
  await expect(page.getByText('Closed. [struck]').first()).toBeVisible()
  await expect(page.getByText('set-cookie: [struck]').first()).toBeVisible()
  await expect(page.getByText(receiverSecret)).toBeHidden()

  receiver.status = 204
  const before = receiver.received.filter(({ body }) => body.includes(user)).length
  await page.getByRole('button', { name: 'Send again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send again' })
  await expect(dialog.getByText('1 delivery will be sent')).toBeVisible()
  await dialog.getByRole('button', { name: 'Send again' }).dblclick()
  await expect(dialog.getByText('1 delivery is on its way')).toBeVisible()
  const close = dialog.getByRole('button', { name: 'Close', exact: true }).last()
  // The answer may come between the two presses: the second one then meets this button.
  await close.dispatchEvent('click', { detail: 2 })
  await expect(dialog.getByText('1 delivery is on its way')).toBeVisible()
  await close.click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => receiver.received.filter(({ body }) => body.includes(user)).length).toBeGreaterThan(before)
  await page.reload()
  await expect(page.getByText('Delivered')).toBeVisible()
})

test('a dead delivery is found by its state, and all that match are sent again', async ({
  page,
  stack,
  user,
  receiver,
  signIn,
}) => {
  await refusedDeposit(stack, receiver, user)
  giveUp(stack, user)
  receiver.status = 204
  await signIn('agent')
  await page.goto('/operate/deliveries')
  await page.getByRole('button', { name: /^Given up/ }).click()
  await expect(page).toHaveURL(/state=dead/)
  await page.getByRole('textbox', { name: 'User' }).fill(user)
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page).toHaveURL(new RegExp(`user=${user}`))
  await expect(page.locator('[data-row]').first()).toContainText('Given up')
  await page.getByRole('button', { name: 'Send all that match again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send again' })
  await expect(dialog.getByText(/^\d+ deliver(y|ies) will be sent$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(dialog.getByText(/on (its|their) way$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.goto(`/operate/deliveries?state=delivered&user=${user}`)
  await expect(page.locator('[data-row]').first()).toContainText('Delivered')
})

test('the list has views, chosen columns and a file, which keep to its filters', async ({
  page,
  stack,
  user,
  receiver,
  signIn,
}) => {
  await refusedDeposit(stack, receiver, user)
  await signIn('viewer')
  await page.goto(`/operate/deliveries?user=${user}&state=failing`)
  const rows = page.locator('[data-row]')
  await expect(rows.first()).toContainText('Failing')
  const count = await rows.count()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'User' }).uncheck()
  await expect(page.getByRole('columnheader', { name: 'User' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Name of a view').fill('It fails')
  await page.getByRole('button', { name: 'Save view' }).click()
  const view = page.getByRole('link', { name: 'It fails' })
  await expect(view).toHaveAttribute('aria-current', 'true')

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('deliveries.csv')
  const [, ...lines] = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(count)
  for (const line of lines) expect(line).toContain(`"${user}"`)

  await page.getByRole('button', { name: /^All/ }).click()
  await expect(page).not.toHaveURL(/state=/)
  await view.click()
  await expect(page).toHaveURL(/state=failing/)
  await expect(page.getByRole('columnheader', { name: 'User' })).toHaveCount(0)
  receiver.status = 204
})

test('all since a time are sent again under their own ids; the dialog says how many', async ({
  page,
  stack,
  user,
  receiver,
  signIn,
}) => {
  await stack.cashier.api.createSession({ user_reference_id: user })
  await fund(stack, user, '3')
  const mine = () => receiver.received.filter(({ body }) => body.includes(user))
  await expect.poll(() => mine().length).toBeGreaterThan(0)
  await signIn('agent')
  await page.goto('/operate/deliveries')
  await page.getByRole('button', { name: 'Send all since a time again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send again' })
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16)
  await dialog.getByLabel('Since').fill(hourAgo)
  await expect(dialog.getByText(/^\d+ deliver(y|ies) will be sent$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(dialog.getByText(/on (its|their) way$/)).toBeVisible()
  await expect.poll(() => mine().length - new Set(mine().map(({ id }) => id)).size).toBeGreaterThan(0)
})

test('a viewer sees deliveries, and sends nothing', async ({ page, stack, user, receiver, signIn }) => {
  await refusedDeposit(stack, receiver, user)
  await signIn('viewer')
  await page.goto(`/operate/deliveries?user=${user}`)
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /again/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Send a test event' })).toHaveCount(0)
  receiver.status = 204
})

test('a test event is sent, and listed with its answer', async ({ page, receiver, signIn }) => {
  receiver.status = 418
  receiver.body = 'a teapot'
  await signIn('agent')
  await page.goto('/operate/deliveries')
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.locator('summary').filter({ hasText: '418' }).first().click()
  await expect(page.getByText('a teapot')).toBeVisible()
})

test('the merchant frames the view in its own admin, where its token works once', async ({
  page,
  browser,
  stack,
  user,
  receiver,
  consoleFaults,
}) => {
  await refusedDeposit(stack, receiver, user)
  receiver.status = 204
  const created = await stack.cashier.api.call('POST', '/delivery-views')
  expect(created.status).toBe(201)
  const { view_url } = view.parse(await created.json())
  await openAdmin(page, stack, view_url)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('textbox', { name: 'User' }).fill(user)
  await frame.getByRole('button', { name: 'Filter' }).click()
  // An attempt after the page was read would be left out.
  await expect(frame.locator('[data-row]').last()).toContainText('Delivered')
  await frame
    .locator('[data-row]')
    .last()
    .getByRole('link', { name: /^Deposit/ })
    .click()
  await expect(frame.getByText('webhook-signature: v1,').first()).toBeVisible()
  const inFrame = page.frames().find((one) => one.url().includes('/delivery-view'))
  expect(inFrame?.url()).not.toContain('token')
  await frame.getByRole('button', { name: 'Send again' }).click()
  await frame.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await expect(frame.getByText('1 delivery is on its way')).toBeVisible()

  const other = await (await browser.newContext()).newPage()
  await openAdmin(other, stack, view_url)
  await expect(other.frameLocator('iframe').getByText('This view is closed')).toBeVisible()
  await other.context().close()
  consoleFaults.length = 0
})

test('no other site frames the view, and none the console', async ({ page, stack, consoleFaults }) => {
  await using foreign = await openForeignSite()
  for (const path of ['/delivery-view', '/operate']) {
    foreign.show(`<iframe src="${stack.cashier.url}${path}"></iframe>`)
    await page.goto(foreign.url)
    await expect.poll(() => consoleFaults.some((fault) => fault.includes('frame-ancestors'))).toBe(true)
    consoleFaults.length = 0
  }
})

for (const { colorScheme, width } of [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1280 },
] as const)
  test.describe(() => {
    test.use({ colorScheme, viewport: { width, height: 800 } })

    test(`axe finds nothing in deliveries, and they fit: ${colorScheme} ${String(width)}`, async ({
      page,
      stack,
      user,
      receiver,
      signIn,
    }) => {
      await refusedDeposit(stack, receiver, user)
      await signIn('agent')
      const look = async (): Promise<void> => {
        expect(await violations(page.mainFrame())).toEqual([])
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow).toBe(0)
      }
      await page.goto(`/operate/deliveries?user=${user}`)
      await expect(page.locator('[data-row]').first()).toBeVisible()
      await look()
      await page.getByRole('button', { name: 'Send all since a time again' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await look()
      await page.keyboard.press('Escape')
      await page
        .locator('[data-row]')
        .last()
        .getByRole('link', { name: /^Deposit/ })
        .click()
      await expect(page.getByText('webhook-signature: v1,').first()).toBeVisible()
      await look()
      receiver.status = 204
    })
  })
