/** What a merchant's page may do to the frame: move it, hide it, mount and destroy at any moment. */
import type { Page, Request, Route } from 'playwright/test'
import { fund } from '../fixtures/money.ts'
import type { Stack } from '../fixtures/stack.ts'
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'

const open = (page: Page, stack: Stack, token: () => Promise<string>): Promise<HostPage> =>
  HostPage.onMerchant(page, stack, { token })

/** Runs in the merchant's page with the element that holds the frame. */
const withPlace = (page: Page, run: (place: HTMLElement) => void): Promise<void> =>
  page.locator('#cashier').evaluate(run)

test('after it is hidden and shown, moved, or removed and inserted again, the frame continues by itself', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  let tokens = 0
  const host = await open(page, stack, async () => {
    tokens += 1
    return (await createSession()).launch_token
  })
  await host.mount('cashier', { theme: 'dark' })
  await host.ready('cashier')
  const cashier = host.cashier('cashier')
  await expect(cashier.getByText(/^Live/)).toBeVisible()

  await withPlace(page, (place) => (place.style.display = 'none'))
  await fund(stack, user, '5')
  await expect
    .poll(async () => (await host.events('cashier')).at(-1))
    .toMatchObject({ type: 'transaction', status: 'succeeded' })
  await host.update('cashier', { locale: 'de' })
  await expect(cashier.locator('html')).toHaveAttribute('lang', 'de')
  await withPlace(page, (place) => place.style.removeProperty('display'))
  await expect(cashier.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Gutgeschrieben')
  const bodyHeight = () => cashier.locator('body').evaluate((body) => Math.ceil(body.getBoundingClientRect().height))
  const frameHeight = async () => (await page.locator('iframe').boundingBox())?.height ?? 0
  await expect.poll(async () => (await frameHeight()) - (await bodyHeight())).toBe(0)
  // A hidden frame has no height to report.
  expect(Math.min(...(await host.heights('cashier')))).toBeGreaterThan(300)

  // A moved frame loads again with a new session, also if it is moved again during the load.
  await withPlace(page, (place) => document.body.append(place))
  await expect.poll(() => tokens).toBe(2)
  await withPlace(page, (place) => {
    place.remove()
    document.body.prepend(place)
    document.body.append(place)
  })
  await expect
    .poll(async () => (await host.types('cashier')).filter((type) => type !== 'transaction'))
    .toEqual(['ready', 'ready'])
  await expect(cashier.getByTestId('balance')).toContainText('5 USDT')
  await expect(cashier.locator('html')).toHaveAttribute('lang', 'de')
  await expect(cashier.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('iframe')).toHaveCount(1)
})

test('moved while its token is made, the frame uses the first of two tokens and shows one page', async ({
  page,
  stack,
  createSession,
}) => {
  const tokens: string[] = []
  const both = Promise.withResolvers<undefined>()
  const host = await open(page, stack, async () => {
    const { launch_token } = await createSession()
    tokens.push(launch_token)
    if (tokens.length === 2) both.resolve(undefined)
    await both.promise
    return launch_token
  })
  let launches = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/launch') launches += 1
  })
  await host.mount('cashier')
  await expect.poll(() => tokens.length).toBe(1)
  await withPlace(page, (place) => document.body.append(place))
  await host.ready('cashier')
  const cashier = host.cashier('cashier')
  await expect(cashier.getByTestId('balance')).toBeVisible()
  await expect(cashier.getByText(/^Live/)).toBeVisible()
  expect(launches).toBe(1)
})

test('kept in the back/forward cache while it launches, the frame launches again and holds one page', async ({
  page,
  stack,
  createSession,
}) => {
  const held: Route[] = []
  await page.route('**/launch', (route) => void held.push(route))
  const host = await open(page, stack, async () => (await createSession()).launch_token)
  await host.mount('cashier')
  await expect.poll(() => held.length).toBe(1)
  await host
    .cashier('cashier')
    .locator('html')
    .evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect.poll(() => held.length).toBe(2)
  const [first, second] = held
  await second?.continue()
  await host.ready('cashier')
  const cashier = host.cashier('cashier')
  await expect(cashier.getByText(/^Live/)).toBeVisible()
  const path = () => cashier.locator('html').evaluate(() => location.pathname)
  const before = await path()
  // Read as a page, or given up.
  const isLaunch = { predicate: (request: Request) => request.url().endsWith('/launch') }
  const ended = Promise.race([
    page.waitForEvent('requestfinished', isLaunch),
    page.waitForEvent('requestfailed', isLaunch),
  ])
  await first?.continue()
  await ended
  await cashier.getByRole('link', { name: 'History' }).click()
  await expect(cashier.getByText('No transactions yet')).toBeVisible()
  expect(await path()).toBe(before.replace('deposit', 'history'))
})

test('destroyed at each step of its launch', async ({ page, stack, createSession }) => {
  let tokens = 0
  const firstToken = Promise.withResolvers<undefined>()
  const host = await open(page, stack, async () => {
    tokens += 1
    const { launch_token } = await createSession()
    await firstToken.promise
    return launch_token
  })
  // A mount that is destroyed at once requests nothing.
  await page.evaluate(() => {
    const mount = (name: string) =>
      Cashier.mount('#cashier', {
        fetchLaunchToken: () => window.token(name),
        onEvent: (event) => window.cashierEvents.push({ name, event }),
      })
    for (let time = 0; time < 20; time += 1) mount('early').destroy()
  })
  await expect(page.locator('iframe')).toHaveCount(0)

  // While the merchant's backend makes the token.
  await host.mount('cashier')
  await expect.poll(() => tokens).toBe(1)
  await host.destroy('cashier')
  firstToken.resolve(undefined)

  // While the cashier redeems the token, and while the session's page loads its scripts.
  for (const step of ['**/launch', '**/_next/static/**']) {
    const routes: Route[] = []
    await page.route(step, (route) => void routes.push(route))
    await host.mount('cashier')
    await expect.poll(() => routes.length).toBeGreaterThan(0)
    await host.destroy('cashier')
    await page.unroute(step)
    for (const route of routes) await route.continue().catch(() => undefined)
  }
  await host.mount('cashier')
  await host.ready('cashier')
  await expect(page.locator('iframe')).toHaveCount(1)
  await expect(host.cashier('cashier').getByText(/^Live/)).toBeVisible()
  expect([tokens, await host.events('early')]).toEqual([4, []])
})

/** How far a mount comes before it is destroyed. */
const POINTS = ['at once', 'token', 'launch', 'page', 'ready'] as const

test('mounted twenty times and destroyed at different points, the script leaves nothing behind', async ({
  page,
  stack,
  createSession,
}) => {
  const asked = new Set<string>()
  const host = await HostPage.onMerchant(page, stack, {
    token: async (name) => {
      const { launch_token } = await createSession()
      asked.add(name)
      return launch_token
    },
  })
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  const reached: Readonly<Record<(typeof POINTS)[number], (name: string) => boolean | Promise<boolean>>> = {
    'at once': () => true,
    token: (name) => asked.has(name),
    launch: () => requests.includes('/launch'),
    page: () => page.frames().some((frame) => frame.url().includes('/c/')),
    ready: async (name) => (await host.types(name)).includes('ready'),
  }
  const heard: Record<string, number> = {}
  const eventsOf = async (name: string): Promise<number> =>
    (await host.events(name)).length + (await host.heights(name)).length
  for (let time = 0; time < 20; time += 1) {
    const name = `mount ${time}`
    const point = POINTS[time % POINTS.length] ?? 'ready'
    await test.step(`${name}: ${point}`, async () => {
      requests.length = 0
      await host.mount(name, {}, '#cashier')
      await expect.poll(() => reached[point](name), { intervals: [5, 10, 20, 50] }).toBe(true)
      // Then waits a part of the way to the next point, different each time.
      await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), (time * 13) % 40)
      await host.destroy(name)
      await expect(page.locator('iframe')).toHaveCount(0)
      heard[name] = await eventsOf(name)
    })
  }
  await host.mount('cashier')
  await host.ready('cashier')
  await expect(page.locator('iframe')).toHaveCount(1)
  await expect(host.cashier('cashier').getByText(/^Live/)).toBeVisible()
  // No destroyed mount has sent another event.
  for (const [name, count] of Object.entries(heard)) expect(await eventsOf(name), name).toBe(count)
  expect((await Promise.all(Object.keys(heard).map((name) => host.errors(name)))).flat()).toEqual([])
})
