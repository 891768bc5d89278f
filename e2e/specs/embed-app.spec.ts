/** The bridge of `crypto-cashier-embed/app`, in a page that plays an app's web view with each of its channels. */
import { resolve } from 'node:path'
import { build } from 'esbuild'
import type { Page } from 'playwright/test'
import { fund } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'
import { Cashier } from '../views/cashier.ts'

test.use({ viewport: { width: 390, height: 844 } })

type Message = Readonly<Record<string, unknown>> & { readonly type: string }

interface AppWindow {
  readonly appMessages: Message[]
  readonly answerApp: (message: object) => void
  readonly connect: (origin: string, target: Element, options?: object) => void
}

/** Makes the channel that a platform gives to the pages in its web views. */
const CHANNELS = {
  'React Native': () => {
    const told = (text: string): void =>
      void (window as unknown as AppWindow).appMessages.push(JSON.parse(text) as Message)
    Object.assign(window, {
      appMessages: [],
      ReactNativeWebView: { postMessage: told },
      answerApp: (message: object) => window.CashierBridge?.receive(JSON.stringify(message)),
    })
  },
  iOS: () => {
    const told = (text: string): void =>
      void (window as unknown as AppWindow).appMessages.push(JSON.parse(text) as Message)
    Object.assign(window, {
      appMessages: [],
      webkit: { messageHandlers: { cashierApp: { postMessage: told } } },
      answerApp: (message: object) => window.CashierBridge?.receive(JSON.stringify(message)),
    })
  },
  Android: () => {
    const told = (text: string): void =>
      void (window as unknown as AppWindow).appMessages.push(JSON.parse(text) as Message)
    const port = Object.assign(new EventTarget(), { postMessage: told })
    Object.assign(window, {
      appMessages: [],
      cashierApp: port,
      answerApp: (message: object) =>
        port.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) })),
    })
  },
} as const

declare global {
  interface Window {
    CashierBridge?: { readonly receive: (text: string) => void }
  }
}

const messages = (page: Page): Promise<readonly Message[]> =>
  page.evaluate(() => (window as unknown as AppWindow).appMessages)
const answer = (page: Page, message: object): Promise<void> =>
  page.evaluate((given) => (window as unknown as AppWindow).answerApp(given), message)

/** The first message of this kind that the app has, after those that it had. */
async function told(page: Page, type: string, from = 0): Promise<Message> {
  let found: Message | undefined
  await expect
    .poll(async () => (found = (await messages(page)).slice(from).find((message) => message.type === type))?.type)
    .toBe(type)
  return found as Message
}

/** Makes `connectApp` the page's `connect`. */
async function addBridge(page: Page): Promise<void> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { connectApp } from './packages/embed/src/app.ts'; window.connect = connectApp`,
      resolveDir: resolve('.'),
    },
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'silent',
  })
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
}

for (const [platform, makeChannel] of Object.entries(CHANNELS)) {
  test(`in a web view of ${platform} the app gives tokens, and gets events, files and links`, async ({
    page,
    stack,
    user,
    createSession,
    consoleFaults,
  }) => {
    await page.addInitScript(makeChannel)
    const host = await HostPage.onMerchant(page, stack, {
      token: () => Promise.reject(new Error('the app gives the tokens')),
    })
    await addBridge(page)
    await page.evaluate((origin) => {
      const target = document.querySelector('#cashier')
      if (target) (window as unknown as AppWindow).connect(origin, target, { locale: 'en', theme: 'light' })
    }, stack.cashier.url)

    const wanted = await told(page, 'token_wanted')
    expect(wanted['cashier']).toBe(1)
    await answer(page, { type: 'token', id: 'another', token: 'x' })
    const session = await createSession({ flows: ['history', 'deposit'], support_url: 'https://help.example/a?b=1' })
    await answer(page, { type: 'token', id: wanted['id'], token: session.launch_token })
    await told(page, 'ready')
    expect((await told(page, 'resize'))['height']).toEqual(expect.any(Number))
    await expect(page.locator('iframe')).toHaveAttribute('allow', /camera/)

    const root = host.cashier('cashier')
    const cashier = new Cashier(root)
    await answer(page, { type: 'update', locale: 'de', theme: 'dark' })
    await expect(root.locator('html')).toHaveAttribute('lang', 'de')
    await expect(root.locator('html')).toHaveAttribute('data-theme', 'dark')
    await answer(page, { type: 'update', locale: 'en' })
    await fund(stack, user, '2.5', 'USDT', 'Tron')
    expect((await told(page, 'transaction'))['currency_code']).toBe('USDT')
    await cashier.goTo('history')
    await expect(cashier.history.rows()).toHaveCount(1)

    // Nothing is saved by the web view, which may not be able to.
    let downloads = 0
    page.on('download', () => (downloads += 1))
    await root.getByTestId('save-csv').click()
    const file = await told(page, 'file')
    expect(file).toMatchObject({ name: 'transactions.csv', mime: 'text/csv; charset=utf-8', part: 0, parts: 1 })
    expect(Buffer.from(String(file['data']), 'base64').toString()).toContain('"2.5","USDT","Tron"')
    expect(downloads).toBe(0)

    await cashier.history.rows().click()
    await cashier.history.details().getByTestId('support').click()
    expect((await told(page, 'link'))['url']).toBe('https://help.example/a?b=1')
    expect(page.context().pages()).toHaveLength(1)

    await cashier.history.details().getByRole('button', { name: 'Receipt' }).click()
    await expect(root.getByRole('button', { name: 'Print or save as PDF' })).toHaveCount(0)
    const sofar = (await messages(page)).length
    await root.getByRole('button', { name: 'Save as a file' }).click()
    expect((await told(page, 'file', sofar))['name']).toMatch(/^receipt-.*\.html$/)
    await page.keyboard.press('Escape')

    await cashier.goTo('deposit')
    await cashier.pick('BTC', 'Bitcoin')
    // Phones show it; a press there is a click.
    const inWallet = root.locator('a[href^="bitcoin:"]')
    const saved = (await messages(page)).length
    await inWallet.dispatchEvent('click')
    expect((await told(page, 'link', saved))['url']).toBe(await inWallet.getAttribute('href'))

    const before = (await messages(page)).length
    await stack.cashier.api.endSession(session.session_id)
    await told(page, 'session_ended', before)
    const again = await told(page, 'token_wanted', before)
    await answer(page, { type: 'token_failed', id: again['id'] })
    expect(await told(page, 'error', before)).toMatchObject({ code: 'token_failed' })
    consoleFaults.length = 0
  })
}

test('a large file comes in parts that join, and outside an app there is no bridge', async ({ page }) => {
  await addBridge(page)
  const result = await page.evaluate(async () => {
    const { connect } = window as unknown as AppWindow
    const target = document.createElement('div')
    let refusal = ''
    try {
      connect('https://cashier.example', target)
    } catch (error) {
      refusal = String(error)
    }
    let give: (file: { name: string; content: Blob }) => void = () => undefined
    Object.assign(window, {
      Cashier: {
        mount: (_target: Element, options: { onFile: typeof give }) => {
          give = options.onFile
          return { update: () => undefined, destroy: () => undefined }
        },
      },
    })
    const parts: Message[] = []
    // The script is there already.
    const script = document.createElement('script')
    const append = document.head.append.bind(document.head)
    document.head.append = (element: unknown) => (element as HTMLScriptElement).dispatchEvent(new Event('load'))
    connect('https://cashier.example', target, { post: (text: string) => parts.push(JSON.parse(text) as Message) })
    document.head.append = append
    await new Promise((done) => setTimeout(done, 10))
    give({ name: 'a.bin', content: new Blob([new Uint8Array(1_000_000).map((_byte, index) => index % 251)]) })
    give({ name: 'b.bin', content: new Blob([script.outerHTML]) })
    await new Promise((done) => setTimeout(done, 1000))
    return { refusal, parts: parts.filter(({ type }) => type === 'file') }
  })
  expect(result.refusal).toContain('not in a web view')
  const [first] = result.parts
  const whole = result.parts.filter(({ name }) => name === 'a.bin')
  expect(whole.map(({ part, parts }) => [part, parts])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
  ])
  const bytes = Buffer.from(whole.map(({ data }) => data).join(''), 'base64')
  expect(bytes).toHaveLength(1_000_000)
  expect(bytes[999_999]).toBe(999_999 % 251)
  expect(first?.['name']).toBe('a.bin')
  expect(result.parts.at(-1)?.['name']).toBe('b.bin')
})
