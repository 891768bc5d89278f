import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'

const strict = (cashierUrl: string): Record<string, string> => ({
  'content-security-policy': `default-src 'none'; script-src ${cashierUrl} 'nonce-abc'; frame-src ${cashierUrl}; style-src 'none'; connect-src 'none'; form-action 'none'; require-trusted-types-for 'script'`,
})

test('two cashiers for two users run side by side, and one can be destroyed', async ({
  page,
  stack,
  user,
  createSession,
}) => {
  const host = await HostPage.onMerchant(page, stack, {
    targets: ['left', 'right'],
    token: async (name) => (await createSession({ user_reference_id: `${user}-${name}` })).launch_token,
  })
  await host.mount('left', { locale: 'de', theme: 'dark' })
  await host.mount('right')

  await host.ready('left')
  await host.ready('right')
  await expect(host.cashier('right').getByRole('link', { name: 'Deposit' })).toBeVisible()
  await expect(host.cashier('left').locator('html')).toHaveAttribute('lang', 'de')
  await expect(host.cashier('left').locator('html')).toHaveAttribute('data-theme', 'dark')

  await host.destroy('left')
  await expect(page.locator('iframe')).toHaveCount(1)
  await host.update('right', { locale: 'fr', theme: 'light' })
  await expect(host.cashier('right').locator('html')).toHaveAttribute('lang', 'fr')
  await expect(host.cashier('right').locator('html')).toHaveAttribute('data-theme', 'light')
  expect(await host.types('right')).toEqual(['ready'])
})

test('it works under a strict policy of the merchant', async ({ page, stack, createSession }) => {
  const host = await HostPage.onMerchant(page, stack, {
    headers: strict(stack.cashier.url),
    token: async () => (await createSession()).launch_token,
  })
  await host.mount('cashier')
  await expect(host.cashier('cashier').getByRole('link', { name: 'Deposit' })).toBeVisible()

  const frame = page.locator('iframe')
  await expect(frame).toHaveAttribute('title', /./)
  await expect(frame).toHaveAttribute('src', `${stack.cashier.url}/embed`)
  await expect(frame).toHaveAttribute(
    'allow',
    'camera; microphone; payment; clipboard-read; clipboard-write; web-share; accelerometer; gyroscope; autoplay; encrypted-media',
  )
})

test('the frame is as high as its content, and reports it', async ({ page, stack, createSession }) => {
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession()).launch_token,
  })
  await host.mount('cashier')
  await expect(host.cashier('cashier').getByRole('link', { name: 'Deposit' })).toBeVisible()

  await expect
    .poll(async () => {
      const heights = await page.evaluate(() =>
        window.cashierEvents.flatMap(({ event }) => ('height' in event ? event.height : [])),
      )
      const box = await page.locator('iframe').boundingBox()
      const inner = await host
        .cashier('cashier')
        .locator('body')
        .evaluate((body) => Math.ceil(body.getBoundingClientRect().height))
      return heights.at(-1) === box?.height && box?.height === inner
    })
    .toBe(true)
})

test('language and theme change without a reload', async ({ page, stack, createSession }) => {
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession({ locale: 'es', theme: 'light' })).launch_token,
  })
  await host.mount('cashier', { locale: 'de-AT' })
  const html = host.cashier('cashier').locator('html')
  await expect(html).toHaveAttribute('lang', 'de')
  await expect(html).toHaveAttribute('data-theme', 'light')
  await host.ready('cashier')
  await html.evaluate((element) => element.setAttribute('data-same', 'yes'))

  await host.update('cashier', { locale: 'ar', theme: 'dark' })

  await expect(html).toHaveAttribute('lang', 'ar')
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await expect(html).toHaveAttribute('data-same', 'yes')
})

test('the page keeps its theme and its frame style when it is rendered again', async ({
  page,
  stack,
  createSession,
}) => {
  await page.setViewportSize({ width: 900, height: 900 })
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession()).launch_token,
  })
  await host.mount('cashier', { theme: 'dark' })
  const cashier = host.cashier('cashier')
  await host.ready('cashier')
  // There is no address yet, so the page will be rendered again.
  await cashier.getByRole('button', { name: /^Currency: / }).click()
  await cashier.getByRole('combobox').fill('USDT')
  await cashier.getByRole('option', { name: /USDT.*Tron/s }).click()
  await expect(cashier.getByTestId('qr').locator('svg')).toBeVisible()
  await expect(cashier.locator('html')).toHaveAttribute('data-framed', '')
  await expect(cashier.locator('html')).toHaveAttribute('data-theme', 'dark')
  // The frame style has no card: the merchant's page is the background.
  expect(await cashier.locator('.page').evaluate((shown) => getComputedStyle(shown).boxShadow)).toBe('none')
})

test('mount may be called before the document is loaded', async ({ page, stack, createSession }) => {
  const head = `<script>
    mounts.cashier = Cashier.mount('#cashier', {
      fetchLaunchToken: () => token('cashier'),
      onEvent: (event) => cashierEvents.push({ name: 'cashier', event }),
    })
  </script>`
  const host = await HostPage.onMerchant(page, stack, {
    head,
    token: async () => (await createSession()).launch_token,
  })
  await host.ready('cashier')
})

test('on a prerendered page, mount waits until the user sees the page', async ({ page, stack, createSession }) => {
  await page.clock.install()
  await page.addInitScript(() => {
    if (parent === window) Object.defineProperty(document, 'prerendering', { value: true, configurable: true })
  })
  let tokens = 0
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => {
      tokens += 1
      return (await createSession()).launch_token
    },
  })
  await host.mount('cashier')
  await host.mount('gone', {}, '#cashier')
  await page.clock.runFor(60_000)
  await host.destroy('gone')
  expect(await host.types('cashier')).toEqual([])
  expect(tokens).toBe(0)
  await page.evaluate(() => {
    Object.defineProperty(document, 'prerendering', { value: false })
    document.dispatchEvent(new Event('prerenderingchange'))
  })
  await host.ready('cashier')
  expect(tokens).toBe(1)
})

test('the selector may match later', async ({ page, stack, createSession }) => {
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession()).launch_token,
  })
  await host.mount('later')
  await page.evaluate(() => {
    const place = document.createElement('div')
    document.body.append(place)
    place.id = 'later'
  })
  await host.ready('later')
})

test('mounted, destroyed and mounted again, as React does in strict mode', async ({ page, stack, createSession }) => {
  let asked = 0
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => {
      asked += 1
      return (await createSession()).launch_token
    },
  })
  await page.evaluate(() => {
    const mount = () =>
      Cashier.mount('#cashier', {
        fetchLaunchToken: () => window.token('cashier'),
        onEvent: (event) => window.cashierEvents.push({ name: 'cashier', event }),
      })
    mount().destroy()
    mount()
  })
  await host.ready('cashier')
  await expect(page.locator('iframe')).toHaveCount(1)
  expect(asked).toBe(1)
})

test('destroy removes everything', async ({ page, stack, createSession }) => {
  const count = `<script>{
    var left = { listeners: new Set(), observers: new Set(), timers: new Set() }
    const { addEventListener, removeEventListener, setTimeout, clearTimeout, MutationObserver } = window
    window.addEventListener = (type, listener, ...a) => {
      if (type === 'message') left.listeners.add(listener)
      addEventListener.call(window, type, listener, ...a)
    }
    window.removeEventListener = (type, listener, ...a) => {
      left.listeners.delete(listener)
      removeEventListener.call(window, type, listener, ...a)
    }
    window.setTimeout = (run, ms, ...a) => {
      const id = setTimeout(run, ms, ...a)
      if (ms === 10000) left.timers.add(id)
      return id
    }
    window.clearTimeout = (id) => {
      left.timers.delete(id)
      clearTimeout(id)
    }
    window.MutationObserver = class extends MutationObserver {
      observe(target, how) {
        if ('attributeFilter' in how) left.observers.add(this)
        super.observe(target, how)
      }
      disconnect() {
        left.observers.delete(this)
        super.disconnect()
      }
    }
  }</script>`
  const host = await HostPage.onMerchant(page, stack, {
    head: count,
    token: async () => (await createSession()).launch_token,
  })
  const left = () =>
    page.evaluate(() => {
      const { listeners, observers, timers } = (window as unknown as { left: Record<string, Set<unknown>> }).left
      return [listeners?.size, observers?.size, timers?.size, document.body.innerHTML]
    })
  const before = await left()
  await host.mount('cashier')
  await host.ready('cashier')
  await host.mount('nowhere')
  expect((await left()).slice(0, 3)).toEqual([2, 1, 1])

  await host.destroy('cashier')
  await host.destroy('cashier')
  await host.destroy('nowhere')

  expect(await left()).toEqual(before)
  const eventCount = await page.evaluate(() => window.cashierEvents.length)
  await page.evaluate(() => window.postMessage({ cashier: 1, type: 'close' }))
  expect(await page.evaluate(() => window.cashierEvents.length)).toBe(eventCount)
})

test('the back button leaves the page and is not trapped in the frame', async ({ page, stack, createSession }) => {
  await page.goto(`${stack.cashier.url}/embed`)
  const host = await HostPage.onMerchant(page, stack, {
    token: async () => (await createSession()).launch_token,
  })
  await host.mount('cashier')
  await host.ready('cashier')

  await page.goBack({ waitUntil: 'commit' })

  await page.waitForURL(`${stack.cashier.url}/embed`)
})
