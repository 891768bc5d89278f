/** The page of the merchant API of a running cashier. */
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { violations } from '../fixtures/violations.ts'

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 700 }

const keyOf = (stack: Stack): string => stack.cashier.env['MERCHANT_API_KEY'] ?? ''

for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of [PHONE, WIDE])
    test(`axe finds no violation, and nothing is wider than the screen: ${colorScheme}, ${viewport.width} px`, async ({
      page,
      stack,
    }) => {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await page.goto(`${stack.cashier.url}/docs`)
      await page.getByText('Try it: Start a session').click()
      await expect(page.getByRole('button', { name: 'Send POST' })).toBeVisible()
      expect(await violations(page.mainFrame())).toEqual([])
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(tooWide).toBe(0)
    })

test('the keyboard alone reaches a call and sends it; the key is stored nowhere', async ({ page, stack, user }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  await page.setViewportSize(WIDE)
  await page.goto(`${stack.cashier.url}/docs`)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the calls' })).toBeFocused()
  await page.keyboard.press('Enter')
  const key = page.getByLabel('Key', { exact: true })
  // Before it, the introduction links to one problem code.
  for (let tab = 0; tab < 2; tab += 1) await page.keyboard.press('Tab')
  await expect(key).toBeFocused()
  await page.keyboard.type(keyOf(stack))

  await page.getByText("Try it: Read a user's balances").focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(user)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const call = page.locator('#listBalances')
  await expect(call.getByRole('status')).toHaveText(/^Answer 200 after \d+ ms$/)
  await expect(call.locator('.reply')).toHaveText('{ "balances": [] }')

  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([0, 0, ''])
  expect(page.url()).not.toContain(keyOf(stack))
  expect([...hosts]).toEqual([new URL(stack.cashier.url).origin])
  await page.reload()
  await expect(key).toHaveValue('')
})

test('a body is sent, and a refusal is shown as it came', async ({ page, stack, user, consoleFaults }) => {
  await page.goto(`${stack.cashier.url}/docs`)
  const call = page.locator('#createSession')
  await call.getByText('Try it').click()
  const send = call.getByRole('button', { name: 'Send POST' })
  await send.click()
  await expect(call.getByRole('status')).toHaveText(/Type your key first/)
  const key = page.getByLabel('Key', { exact: true })
  await expect(key).toBeFocused()

  await key.fill('no-key-of-this-cashier-0123456789')
  await send.click()
  await expect(call.getByRole('status')).toHaveText(/^Answer 401/)
  await expect(call.locator('.reply')).toContainText('"code": "unauthenticated"')

  await key.fill(keyOf(stack))
  await call.getByLabel('Body').fill(JSON.stringify({ user_reference_id: user, flows: ['history'] }))
  await send.click()
  await expect(call.getByRole('status')).toHaveText(/^Answer 201/)
  await expect(call.locator('.reply')).toContainText('"launch_token"')
  consoleFaults.length = 0
})

test('the list of calls is found by a word, and closes on a phone', async ({ page, stack }) => {
  await page.goto(`${stack.cashier.url}/docs`)
  const list = page.getByRole('navigation', { name: 'Calls' })
  const link = list.getByRole('link', { name: 'Save a statement' })
  await expect(link).toBeHidden()
  await list.getByText('All calls').click()
  await list.getByLabel('Find a call').fill('statement')
  await expect(list.getByRole('link')).toHaveText(['Save a statement'])
  await link.click()
  await expect(link).toBeHidden()
  await expect(page.locator('#statement')).toBeInViewport()
})

test('no page may frame it, and scripts of others do not run in it', async ({ page, stack, consoleFaults }) => {
  await page.goto(`${stack.cashier.url}/docs`)
  const ran = await page.evaluate(async () => {
    const element = document.createElement('script')
    element.textContent = 'window.ran = 1'
    document.body.append(element)
    await new Promise((resolve) => setTimeout(resolve, 300))
    return 'ran' in window
  })
  expect(ran).toBe(false)
  await page.goto(stack.merchant.url)
  await page.evaluate((url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
  }, `${stack.cashier.url}/docs`)
  await expect.poll(() => consoleFaults.join()).toContain('frame-ancestors')
  consoleFaults.length = 0
})
