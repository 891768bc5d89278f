import type { Page } from 'playwright/test'
import { openForwardProxy } from '../fixtures/forward-proxy.ts'
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'

test('mounting adds no entry to the history of the merchant’s page, and Back leaves it', async ({
  page,
  stack,
  createSession,
}) => {
  const posted: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/launch')) posted.push(request.resourceType())
  })
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession()).launch_token,
  })
  const entries = await page.evaluate(() => history.length)
  await host.mount('cashier')
  await host.ready('cashier')
  await expect(host.cashier('cashier').getByTestId('qr').locator('svg')).toBeVisible()
  expect(await page.evaluate(() => history.length)).toBe(entries)
  expect(posted).toEqual(['fetch'])
  expect(page.frames().filter((frame) => frame.url().includes('token'))).toEqual([])

  await page.goBack()
  expect(page.url()).toBe('about:blank')
})

/** Requests of the launch and of scripts, in their order. */
function launchesAndScripts(page: Page): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/launch') asked.push('launch')
    if (pathname.startsWith('/_next/') && pathname.endsWith('.js')) asked.push('script')
  })
  return asked
}

test('the first script is asked for after the launch, which so has the open connection', async ({
  page,
  stack,
  createSession,
}) => {
  const asked = launchesAndScripts(page)
  const host = await HostPage.onMerchant(page, stack, { token: async () => (await createSession()).launch_token })
  await host.mount('cashier')
  await host.ready('cashier')
  expect(asked.slice(0, 2)).toEqual(['launch', 'script'])
})

test('while the launch token is late, one script is asked for', async ({ page, stack, createSession }) => {
  const asked = launchesAndScripts(page)
  const { launch_token } = await createSession()
  const late = Promise.withResolvers<string>()
  const host = await HostPage.onMerchant(page, stack, { token: () => late.promise })
  await host.mount('cashier')
  await expect.poll(() => asked).toEqual(['script'])
  late.resolve(launch_token)
  await host.ready('cashier')
})

test('a launch sets one cookie, and the first answer already has times in the user’s time zone', async ({
  browser,
  stack,
  user,
  createSession,
}) => {
  const usdt = (await stack.sandbox.control.currencies())[0]
  if (!usdt) throw new Error('the sandbox has no currency')
  const { launch_url, session_id } = await createSession({ flows: ['history'] })
  await stack.sandbox.control.detectDeposit({ user_reference: user, currency_id: usdt.id, amount: '1' })
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(launch_url)
  await page.waitForURL(`**/c/${session_id}/history`)
  await expect(page.getByTestId('connection')).toContainText('Live')
  expect((await context.cookies()).map(({ name }) => name)).toEqual([`__Host-cashier-${session_id}`])
  // In the server's HTML: the zone is known, so there is no note that times are UTC.
  const drawn = await (await context.request.get(page.url())).text()
  expect(drawn).toContain('<time')
  expect(drawn).not.toMatch(/\d UTC</)
  await context.close()
})

test('a page without its cookie counts as ended, and a new session starts', async ({
  page,
  stack,
  createSession,
  consoleFaults,
}) => {
  let sessions = 0
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => {
      sessions += 1
      return (await createSession()).launch_token
    },
  })
  await host.mount('cashier')
  await host.ready('cashier')
  await page.context().clearCookies()
  await host.cashier('cashier').getByRole('link', { name: 'History' }).click()

  await expect.poll(() => host.types('cashier')).toEqual(['ready', 'session_ended', 'ready'])
  await expect(host.cashier('cashier').getByRole('link', { name: 'Deposit' })).toBeVisible()
  expect(sessions).toBe(2)
  consoleFaults.length = 0
})

for (const [share, what] of [
  [0.02, 'before anything is shown'],
  [0.7, 'after the address'],
] as const)
  test(`a launch whose answer is cut ${what} ends in a page that works`, async ({ browser, stack, createSession }) => {
    let cuts = 0
    await using proxy = await openForwardProxy((reply, outgoing) => {
      if (reply.headers['content-location'] === undefined) {
        reply.pipe(outgoing)
        return
      }
      cuts += 1
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('end', () => {
        const whole = Buffer.concat(parts)
        outgoing.write(whole.subarray(0, Math.floor(whole.length * share)), () => outgoing.destroy())
      })
    })
    const context = await browser.newContext({ proxy: { server: proxy.url } })
    const host = await HostPage.onMerchant(await context.newPage(), stack, {
      token: async () => (await createSession()).launch_token,
    })
    await host.mount('cashier')
    await host.ready('cashier')
    await expect(host.cashier('cashier').getByText(/^Live/)).toBeVisible()
    await expect(host.cashier('cashier').getByTestId('address')).toBeVisible()
    expect(cuts).toBe(1)
    await context.close()
  })

test('a launched page whose scripts did not come, as while the server is replaced, is loaded again', async ({
  page,
  stack,
  createSession,
  consoleFaults,
}) => {
  let launched = false
  let loaded = false
  let refused = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/launch')) launched = true
    if (request.url().includes('/c/')) loaded = true
  })
  await page.route('**/_next/static/**/*.js', (route) => {
    if (!launched || loaded) return route.continue()
    refused += 1
    return route.fulfill({ status: 404 })
  })
  const host = await HostPage.onMerchant(page, stack, { token: async () => (await createSession()).launch_token })
  await host.mount('cashier')
  await host.ready('cashier')
  await expect(host.cashier('cashier').getByText(/^Live/)).toBeVisible()
  expect(refused).toBeGreaterThan(0)
  consoleFaults.length = 0
})

test('a page whose scripts do not come again says so, and works when they come', async ({
  page,
  stack,
  createSession,
  consoleFaults,
}) => {
  let loads = 0
  /** Of the current document. */
  let refused = 0
  page.on('request', (request) => {
    if (!request.url().includes('/c/')) return
    loads += 1
    refused = 0
  })
  const host = await HostPage.onMerchant(page, stack, { token: async () => (await createSession()).launch_token })
  await page.route('**/_next/static/**/*.js', (route) => {
    refused += 1
    return route.abort('connectionreset')
  })
  await host.mount('cashier', { locale: 'de' })
  const cashier = host.cashier('cashier')
  const text = cashier.getByRole('alert').filter({ hasText: 'Ein Teil dieser Seite ist nicht angekommen' })
  await expect(text).toBeInViewport()
  expect(loads).toBe(1)
  const close = cashier.getByRole('button', { name: 'Kasse schließen' })
  await close.click()
  await expect.poll(() => [loads, refused > 0]).toEqual([2, true])
  await expect(text).toBeVisible()

  await page.unroute('**/_next/static/**/*.js')
  await close.click()
  await host.ready('cashier')
  await expect(text).toHaveCount(0)
  expect(loads).toBe(3)
  consoleFaults.length = 0
})
