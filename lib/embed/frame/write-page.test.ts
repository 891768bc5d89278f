import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cookieConfirmed, writePage } from './write-page.ts'

const page = { open: vi.fn(), write: vi.fn(), close: vi.fn() }
const replaceState = vi.fn()
const reload = vi.fn()
const fetch = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()
class Script extends EventTarget {}
let events = new EventTarget()
/** The window gets an event of this kind whose target is `target`. */
const happen = (type: string, target: EventTarget = events): void => {
  events.dispatchEvent(Object.defineProperty(new Event(type), 'target', { value: target }))
}
beforeEach(() => {
  vi.clearAllMocks()
  vi.useFakeTimers()
  events = new EventTarget()
  for (const name of ['addEventListener', 'removeEventListener'] as const)
    vi.stubGlobal(name, events[name].bind(events))
  vi.stubGlobal('HTMLScriptElement', Script)
  vi.stubGlobal('document', page)
  vi.stubGlobal('history', { replaceState })
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('window', {})
  vi.stubGlobal('fetch', fetch)
  fetch.mockImplementation(() => Promise.resolve(new Response('[]')))
})
afterEach(() => {
  vi.useRealTimers()
})

const streamOf = (chunks: readonly Uint8Array[], breaks = false): ReadableStream<Uint8Array> => {
  const left = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift()
      if (chunk !== undefined) controller.enqueue(chunk)
      else if (breaks) controller.error(new TypeError('network error'))
      else controller.close()
    },
  })
}
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const written = (): string => page.write.mock.calls.flat().join('')

test('the page is written as it comes, whatever pieces its characters come in', async () => {
  const bytes = bytesOf('<p>إيداع 入金</p>')
  await writePage('/c/x/deposit', streamOf([...bytes].map((byte) => Uint8Array.of(byte))))
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/c/x/deposit')
  expect(written()).toBe('<p>إيداع 入金</p>')
  expect([page.open, page.close, reload].map((call) => call.mock.calls.length)).toEqual([1, 1, 0])
})

test.each([['<p>bc1q'], ['']])(
  'what has come before the connection broke stays until the server answers: %j',
  async (came) => {
    let answer = (): Promise<Response> => Promise.reject(new TypeError('offline'))
    fetch.mockImplementation(() => answer())
    await writePage('/c/x/deposit', streamOf(came === '' ? [] : [bytesOf(came)], true))
    await vi.advanceTimersByTimeAsync(60_000)
    answer = () => Promise.resolve(new Response('', { status: 502 }))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(written()).toBe(came)
    expect([page.close, reload].map((call) => call.mock.calls.length)).toEqual([1, 0])

    answer = () => Promise.resolve(new Response(''))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reload).toHaveBeenCalledOnce()
  },
)

test('a page whose first scripts did not come is loaded again, once', async () => {
  await writePage('/c/x/deposit', streamOf([bytesOf('<p>')]))
  happen('error')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).not.toHaveBeenCalled()
  happen('error', new Script())
  happen('error', new Script())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).toHaveBeenCalledOnce()
})

test('a page that works stays, whatever script does not come', async () => {
  await writePage('/c/x/deposit', streamOf([bytesOf('<p>')]))
  happen('error', new Script())
  happen('cashier:hydrated')
  happen('error', new Script())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reload).not.toHaveBeenCalled()
})

async function settled(promise: Promise<unknown>): Promise<boolean> {
  let is = false
  void promise.then(() => (is = true))
  await vi.advanceTimersByTimeAsync(20)
  return is
}

test('a page whose cookie the browser has refused is loaded again, and is never confirmed', async () => {
  fetch.mockResolvedValue(new Response('{}', { status: 401 }))
  await writePage('/c/x/deposit', streamOf([bytesOf('<p>bc1q')]))
  expect(await settled(cookieConfirmed())).toBe(false)
  expect(reload).toHaveBeenCalledOnce()
  expect(fetch).toHaveBeenCalledExactlyOnceWith('/api/cashier/balances', { headers: { 'x-cashier-session': 'x' } })
})

test('a page without its cookie is not loaded again while it is still written', async () => {
  fetch.mockResolvedValue(new Response('{}', { status: 401 }))
  const rest = Promise.withResolvers<Uint8Array>()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytesOf('<p>')),
    async pull(controller) {
      controller.enqueue(await rest.promise)
      controller.close()
    },
  })
  const writing = writePage('/c/x/deposit', body)
  expect(await settled(cookieConfirmed())).toBe(false)
  expect(reload).not.toHaveBeenCalled()
  rest.resolve(bytesOf('bc1q'))
  await writing
  expect([written(), reload.mock.calls.length]).toEqual(['<p>bc1q', 1])
})

test.each([
  ['an answer', () => Promise.resolve(new Response('{}', { status: 503 }))],
  ['no answer', () => Promise.reject(new TypeError('offline'))],
])('%s that does not miss the cookie confirms the page', async (_what, answer) => {
  fetch.mockImplementation(answer)
  await writePage('/c/x/deposit', streamOf([bytesOf('<p>bc1q')]))
  expect(await settled(cookieConfirmed())).toBe(true)
  expect(reload).not.toHaveBeenCalled()
})

test('a page that was not written so needs no confirmation', async () => {
  expect(await settled(cookieConfirmed())).toBe(true)
})
