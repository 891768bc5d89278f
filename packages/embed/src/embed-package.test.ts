import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createRenderer, createSSRApp, h } from 'vue'
import { renderToString as renderVueToString } from 'vue/server-renderer'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CashierEvent, CashierOptions } from './script.ts'

/** Stands in for a `<script>` element. The test decides whether it loads. */
class ScriptElement extends EventTarget {
  src = ''
  remove = vi.fn()
}
let added: ScriptElement[]
let browser: EventTarget
beforeEach(() => {
  added = []
  browser = new EventTarget()
  for (const name of ['addEventListener', 'removeEventListener'] as const)
    vi.stubGlobal(name, browser[name].bind(browser))
  vi.resetModules()
  vi.stubGlobal('document', {
    createElement: () => new ScriptElement(),
    head: { append: (script: ScriptElement) => added.push(script) },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const settle = (index: number, how: 'load' | 'error') => added[index]?.dispatchEvent(new Event(how))
const target = {} as Element
const fetchLaunchToken = () => Promise.resolve('token')

test('the script is loaded once for an origin, and again after a failure', async () => {
  const { loadCashier } = await import('./index.ts')
  const first = loadCashier('https://c.example')
  expect(loadCashier('https://c.example')).toBe(first)
  expect(added.map(({ src }) => src)).toEqual(['https://c.example/embed/v1.js'])
  settle(0, 'error')
  await expect(first).rejects.toThrow('https://c.example/embed/v1.js did not load')
  expect(added[0]?.remove).toHaveBeenCalled()
  const cashier = { mount: vi.fn() }
  const second = loadCashier('https://c.example')
  vi.stubGlobal('Cashier', cashier)
  settle(1, 'load')
  expect(await second).toBe(cashier)
})

test('a file that is not the script is an error', async () => {
  const { loadCashier } = await import('./index.ts')
  const loaded = loadCashier('https://c.example')
  settle(0, 'load')
  await expect(loaded).rejects.toThrow("is not the cashier's script")
})

test('an update before the script has loaded is kept, and a cashier destroyed before that is not mounted', async () => {
  const { mountLater } = await import('./mount-later.ts')
  const mounted = { update: vi.fn(), destroy: vi.fn() }
  const mount = vi.fn(() => mounted)
  vi.stubGlobal('Cashier', { mount })
  const kept = mountLater('https://c.example', target, { fetchLaunchToken, theme: 'light' })
  const gone = mountLater('https://c.example', target, { fetchLaunchToken })
  kept.update({ theme: 'dark' })
  gone.destroy()
  settle(0, 'load')
  await vi.waitFor(() => expect(mount).toHaveBeenCalledOnce())
  expect(mount).toHaveBeenCalledWith(target, expect.objectContaining({ theme: 'dark' }))
  kept.update({ locale: 'de' })
  expect(mounted.update).toHaveBeenCalledWith({ locale: 'de' })
  kept.destroy()
  expect(mounted.destroy).toHaveBeenCalledOnce()
})

test('a script that does not load is an event', async () => {
  const { mountLater } = await import('./mount-later.ts')
  const events: CashierEvent[] = []
  const mounted = mountLater('https://c.example', target, {
    fetchLaunchToken,
    onEvent: (event) => events.push(event),
  })
  settle(0, 'error')
  await vi.waitFor(() => expect(events).toMatchObject([{ type: 'error', code: 'not_ready' }]))
  mounted.destroy()
})

test('a script that does not load is requested again after a pause, and at once when the network is back', async () => {
  vi.useFakeTimers()
  const { mountLater } = await import('./mount-later.ts')
  const events: CashierEvent[] = []
  const options = { fetchLaunchToken, onEvent: (event: CashierEvent) => events.push(event) }
  mountLater('https://c.example', target, options)
  const gone = mountLater('https://c.example', {} as Element, options)
  settle(0, 'error')
  await vi.advanceTimersByTimeAsync(1000)
  gone.destroy()
  expect(added).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(added).toHaveLength(2)
  settle(1, 'error')
  await vi.advanceTimersByTimeAsync(0)
  browser.dispatchEvent(new Event('online'))
  expect(added).toHaveLength(3)
  const mount = vi.fn()
  vi.stubGlobal('Cashier', { mount })
  settle(2, 'load')
  await vi.advanceTimersByTimeAsync(120_000)
  browser.dispatchEvent(new Event('online'))
  expect(added).toHaveLength(3)
  expect(mount.mock.calls.map(([at]) => at === target)).toEqual([true])
  expect(events).toHaveLength(2)
})

test('on the server React and Vue render an empty element', async () => {
  const { Cashier } = await import('./react.tsx')
  const { Cashier: VueCashier } = await import('./vue.ts')
  const props = { origin: 'https://c.example', fetchLaunchToken }
  const own = createElement(Cashier, { ...props, id: 'wallet', className: 'c' })
  expect(renderToString(own)).toBe('<div id="wallet" class="c"></div>')
  expect(await renderVueToString(createSSRApp({ render: () => h(VueCashier, { ...props, id: 'wallet' }) }))).toBe(
    '<div id="wallet"></div>',
  )
  expect(added).toEqual([])
})

/** Renders Vue's components without a browser; enough for an element without children. */
const { createApp } = createRenderer<object, object>({
  createElement: (tag) => ({ tag }),
  createText: (text) => ({ text }),
  createComment: (text) => ({ text }),
  insert: () => undefined,
  remove: () => undefined,
  patchProp: () => undefined,
  setText: () => undefined,
  setElementText: () => undefined,
  parentNode: () => null,
  nextSibling: () => null,
})

test('in Vue, files and links are handed over if somebody listens, and else stay with the cashier', async () => {
  const { Cashier } = await import('./vue.ts')
  const mount = vi.fn((_target: Element, _options: CashierOptions) => ({ update: vi.fn(), destroy: vi.fn() }))
  const props = { origin: 'https://c.example', fetchLaunchToken }
  const onLink = vi.fn()
  createApp({ render: () => h(Cashier, { ...props, onLink }) }).mount({})
  createApp({ render: () => h(Cashier, props) }).mount({})
  vi.stubGlobal('Cashier', { mount })
  settle(0, 'load')
  await vi.waitFor(() => expect(mount).toHaveBeenCalledTimes(2))
  const [listened, alone] = mount.mock.calls.map(([, options]) => options)
  listened?.onLink?.('https://wallet.example')
  expect(onLink).toHaveBeenCalledWith('https://wallet.example')
  expect(listened).not.toHaveProperty('onFile')
  expect(alone).not.toHaveProperty('onLink')
})

/** The channel of an app, and what came through it. */
function appChannel() {
  const port = Object.assign(new EventTarget(), { postMessage: vi.fn<(text: string) => void>() })
  vi.stubGlobal('cashierApp', port)
  return {
    told: () => port.postMessage.mock.calls.map(([text]) => JSON.parse(text) as Record<string, unknown>),
    tell: (message: object) => port.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) })),
  }
}

test('an app changes one part of the appearance before the script has loaded, and the other stays', async () => {
  const { connectApp } = await import('./app.ts')
  const mount = vi.fn(() => ({ update: vi.fn(), destroy: vi.fn() }))
  const app = appChannel()
  connectApp('https://c.example', target, { theme: 'dark', locale: 'en' })
  app.tell({ type: 'update', locale: 'de' })
  vi.stubGlobal('Cashier', { mount })
  settle(0, 'load')
  await vi.waitFor(() => expect(mount).toHaveBeenCalledOnce())
  expect(mount).toHaveBeenCalledWith(target, expect.objectContaining({ theme: 'dark', locale: 'de' }))
})

test('a file that cannot be read does not keep later ones from the app', async () => {
  const { connectApp } = await import('./app.ts')
  const mount = vi.fn((_target: Element, _options: CashierOptions) => ({ update: vi.fn(), destroy: vi.fn() }))
  const app = appChannel()
  connectApp('https://c.example', target)
  vi.stubGlobal('Cashier', { mount })
  settle(0, 'load')
  await vi.waitFor(() => expect(mount).toHaveBeenCalledOnce())
  const onFile = mount.mock.calls[0]?.[1].onFile
  const broken = new Blob(['x'])
  broken.slice = () => {
    throw new Error('the file is gone')
  }
  onFile?.({ name: 'broken', content: broken })
  onFile?.({ name: 'whole', content: new Blob(['x']) })
  await vi.waitFor(() => expect(app.told()).toMatchObject([{ type: 'file', name: 'whole' }]))
})

test('a cashier that was destroyed hears nothing of the app', async () => {
  const { connectApp } = await import('./app.ts')
  const mounted = { update: vi.fn(), destroy: vi.fn() }
  const app = appChannel()
  const cashier = connectApp('https://c.example', target)
  vi.stubGlobal('Cashier', { mount: () => mounted })
  settle(0, 'load')
  await vi.waitFor(() => {
    app.tell({ type: 'update', locale: 'de' })
    expect(mounted.update).toHaveBeenCalled()
  })
  mounted.update.mockClear()
  cashier.destroy()
  app.tell({ type: 'update', locale: 'en' })
  expect(mounted.update).not.toHaveBeenCalled()
  expect(mounted.destroy).toHaveBeenCalledOnce()
  expect(globalThis).not.toHaveProperty('CashierBridge')
})
