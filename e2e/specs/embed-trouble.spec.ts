import type { Page, Route } from 'playwright/test'
import { expect, test } from '../fixtures/test.ts'
import type { Stack } from '../fixtures/stack.ts'
import { openForeignSite } from '../views/foreign-site.ts'
import { HostPage } from '../views/host-page.ts'

const open = (page: Page, stack: Stack, token: () => Promise<string>): Promise<HostPage> =>
  HostPage.onMerchant(page, stack, { token })

test('no response for ten seconds is reported as not_ready', async ({ page, stack, createSession, consoleFaults }) => {
  await page.clock.install()
  const held: Route[] = []
  await page.route('**/embed', (route) => void held.push(route))
  const host = await open(page, stack, async () => (await createSession()).launch_token)
  await host.mount('cashier')
  await expect.poll(() => held.length).toBe(1)

  await page.clock.runFor(7_000)
  expect(await host.errors('cashier')).toEqual([])
  await page.clock.runFor(3_100)
  expect(await host.errors('cashier')).toEqual(['not_ready'])

  // A late response still counts.
  await held[0]?.continue()
  await expect.poll(() => host.types('cashier')).toEqual(['error', 'ready'])
  expect(consoleFaults).toEqual([])
})

test('a page that may not embed the cashier gets not_ready and nothing else', async ({
  page,
  stack,
  createSession,
  consoleFaults,
}) => {
  await page.clock.install()
  await using foreign = await openForeignSite()
  const host = await HostPage.open({
    page,
    publish: (html) => {
      foreign.show(html)
      return Promise.resolve(foreign.url)
    },
    cashierUrl: stack.cashier.url,
    token: async () => (await createSession()).launch_token,
  })
  await host.mount('cashier')
  await expect.poll(() => consoleFaults.some((fault) => fault.includes('frame-ancestors'))).toBe(true)
  await page.clock.runFor(10_100)
  expect(await host.types('cashier')).toEqual(['error'])
  expect(await host.errors('cashier')).toEqual(['not_ready'])
  expect(JSON.stringify(await host.events('cashier'))).toContain(
    `${stack.cashier.url} did not answer; its EMBED_ORIGINS must have ${new URL(foreign.url).origin}`,
  )
  const lines = stack.cashier.process
    .output()
    .split('\n')
    .filter((line) => line.includes(new URL(foreign.url).origin))
  expect(lines).toEqual([expect.stringContaining('EMBED_ORIGINS lacks it')])
  consoleFaults.length = 0
})

test('a selector that never matches is reported as not_ready', async ({ page, stack, createSession }) => {
  await page.clock.install()
  const host = await open(page, stack, async () => (await createSession()).launch_token)
  await host.mount('nowhere')
  await page.clock.runFor(10_100)
  expect(await host.errors('nowhere')).toEqual(['not_ready'])
})

test('invalid options throw at once', async ({ page, stack }) => {
  await open(page, stack, () => Promise.resolve(''))
  const errorOf = (target: string | null, options: Readonly<Record<string, string>>, fetches = true): Promise<string> =>
    page.evaluate(
      ([target, options, fetches]) => {
        try {
          const fetchLaunchToken = () => Promise.resolve('x')
          Cashier.mount(target as string, { ...options, ...(fetches && { fetchLaunchToken }) } as never)
          return 'accepted'
        } catch (error) {
          return error instanceof Error ? error.name : 'other'
        }
      },
      [target, options, fetches] as const,
    )
  expect(await errorOf('#cashier', {}, false)).toBe('TypeError')
  expect(await errorOf(null, {})).toBe('TypeError')
  expect(await errorOf('#cashier', { theme: 'pink' })).toBe('TypeError')
  expect(await errorOf('#cashier', { locale: 'not a tag' })).toBe('TypeError')
  await expect(page.locator('iframe')).toHaveCount(0)
})

test('a used token is reported, and no session starts', async ({ page, stack, createSession, consoleFaults }) => {
  const { launch_token } = await createSession()
  const host = await open(page, stack, () => Promise.resolve(launch_token))
  await host.mount('cashier')
  await host.ready('cashier')
  await host.destroy('cashier')

  await host.mount('cashier')

  await expect.poll(() => host.errors('cashier')).toEqual(['token_used'])
  consoleFaults.length = 0
})

test('without a token the frame offers a retry', async ({ page, stack, createSession }) => {
  let working = false
  const host = await open(page, stack, async () => {
    if (!working) throw new Error('signed out')
    return (await createSession()).launch_token
  })
  await host.mount('cashier', { locale: 'de' })
  await expect.poll(() => host.errors('cashier')).toEqual(['token_failed'])
  expect(JSON.stringify(await host.events('cashier'))).toContain('signed out')

  working = true
  await host.cashier('cashier').getByRole('button', { name: 'Erneut versuchen' }).click()

  await expect.poll(() => host.types('cashier')).toEqual(['error', 'ready'])
})

test('a token that does not come is reported, the frame offers a retry, and a late token still opens it', async ({
  page,
  stack,
  createSession,
}) => {
  await page.clock.install()
  const late = Promise.withResolvers<string>()
  const host = await open(page, stack, () => late.promise)
  await host.mount('cashier')
  const frame = host.cashier('cashier')
  await expect(frame.getByRole('status')).toHaveText('Opening the cashier…')
  await page.clock.runFor(29_000)
  expect(await host.errors('cashier')).toEqual([])
  await page.clock.runFor(2_000)
  expect(await host.errors('cashier')).toEqual(['token_failed'])
  await expect(frame.getByRole('button', { name: 'Try again' })).toBeVisible()

  late.resolve((await createSession()).launch_token)
  await expect.poll(() => host.types('cashier')).toEqual(['error', 'ready'])
})

test('mounted while the server was away, the cashier opens at a press', async ({
  page,
  stack,
  createSession,
  consoleFaults,
}) => {
  await page.clock.install()
  const host = await open(page, stack, async () => (await createSession()).launch_token)
  await stack.line.goAway()
  await host.mount('cashier')
  await expect.poll(() => page.frames().some((one) => one.url().startsWith('chrome-error:'))).toBe(true)
  await page.clock.runFor(10_100)
  expect(await host.types('cashier')).toEqual(['error'])
  await stack.line.comeBack()
  await page.locator('#cashier iframe').click({ position: { x: 100, y: 50 } })
  await host.ready('cashier')
  await expect(host.cashier('cashier').getByTestId('address')).toBeVisible()
  consoleFaults.length = 0
})

test('mounted offline and online again at once, the cashier opens by itself', async ({
  page,
  context,
  stack,
  createSession,
  consoleFaults,
}) => {
  const host = await open(page, stack, async () => (await createSession()).launch_token)
  await context.setOffline(true)
  await host.mount('cashier')
  await expect.poll(() => page.frames().some((one) => one.url().startsWith('chrome-error:'))).toBe(true)
  await context.setOffline(false)
  await host.ready('cashier')
  await expect(host.cashier('cashier').getByTestId('address')).toBeVisible()
  consoleFaults.length = 0
})

for (const [what, press] of [
  ['a late answer still opens the page', false],
  ['a press launches again', true],
] as const)
  test(`a launch that is not answered offers a retry, and ${what}`, async ({ page, stack, createSession }) => {
    await page.clock.install()
    const held: Route[] = []
    await page.route('**/launch', (route) => (held.length === 0 ? void held.push(route) : route.continue()))
    const host = await open(page, stack, async () => (await createSession()).launch_token)
    await host.mount('cashier')
    const frame = host.cashier('cashier')
    await expect.poll(() => held.length).toBe(1)
    await page.clock.runFor(14_000)
    const retry = frame.getByRole('button', { name: 'Try again' })
    await expect(retry).toBeHidden()
    await page.clock.runFor(2_000)
    await expect(retry).toBeVisible()

    if (press) await retry.click()
    else await held[0]?.continue()
    await expect.poll(() => host.types('cashier')).toContain('ready')
    await expect(frame.getByTestId('address')).toBeVisible()
    expect(await host.errors('cashier')).toEqual(['not_ready'])
    if (press) await held[0]?.abort()
  })

test('an invalid token is not sent', async ({ page, stack }) => {
  const host = await open(page, stack, () => Promise.resolve('two words'))
  await host.mount('cashier')
  await expect.poll(() => host.errors('cashier')).toEqual(['token_failed'])
})

test('after the end of a session a new session starts in a new frame', async ({
  page,
  stack,
  createSession,
  consoleFaults,
}) => {
  const sessions: string[] = []
  const host = await open(page, stack, async () => {
    const { launch_token, session_id } = await createSession()
    sessions.push(session_id)
    return launch_token
  })
  await host.mount('cashier')
  await host.ready('cashier')
  const before = await page.locator('iframe').getAttribute('name')

  await stack.cashier.api.endSession(sessions[0] ?? '')

  await expect.poll(() => host.types('cashier')).toEqual(['ready', 'session_ended', 'ready'])
  expect(sessions).toHaveLength(2)
  await expect(page.locator('iframe')).toHaveCount(1)
  expect(await page.locator('iframe').getAttribute('name')).not.toBe(before)
  consoleFaults.length = 0
})

test('if the merchant calls destroy on session_ended, no token is requested', async ({
  page,
  stack,
  createSession,
  consoleFaults,
}) => {
  const sessions: string[] = []
  const host = await open(page, stack, async () => {
    const { launch_token, session_id } = await createSession()
    sessions.push(session_id)
    return launch_token
  })
  await page.evaluate(() => {
    const mounted = Cashier.mount('#cashier', {
      fetchLaunchToken: () => window.token('cashier'),
      onEvent: (event) => {
        window.cashierEvents.push({ name: 'cashier', event })
        if (event.type === 'session_ended') mounted.destroy()
      },
    })
  })
  await host.ready('cashier')
  await stack.cashier.api.endSession(sessions[0] ?? '')
  await expect.poll(() => host.types('cashier')).toEqual(['ready', 'session_ended'])
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(sessions).toHaveLength(1)
  consoleFaults.length = 0
})

test('an error in the merchant’s handler does not stop the cashier', async ({
  page,
  stack,
  createSession,
  consoleFaults,
}) => {
  const host = await open(page, stack, async () => (await createSession()).launch_token)
  await page.evaluate(() => {
    window.mounts['cashier'] = Cashier.mount('#cashier', {
      fetchLaunchToken: () => window.token('cashier'),
      onEvent: (event) => {
        window.cashierEvents.push({ name: 'cashier', event })
        throw new Error('mine')
      },
    })
  })
  await host.ready('cashier')
  await host.update('cashier', { theme: 'dark' })
  await expect(host.cashier('cashier').locator('html')).toHaveAttribute('data-theme', 'dark')
  expect(consoleFaults.every((fault) => fault === 'thrown: mine')).toBe(true)
  consoleFaults.length = 0
})
