import { expect, test } from 'vitest'
import { openFrameBridge, type FrameWindow } from './frame-bridge.ts'

const CHANNEL = 'a'.repeat(32)
const ORIGIN = 'https://shop.example'

function framed(name: unknown = { cashier: 1, channel: CHANNEL, origin: ORIGIN, theme: 'dark' }) {
  const posted: [unknown, string][] = []
  const listeners = new Set<(event: MessageEvent<unknown>) => void>()
  const parent = { postMessage: (message: unknown, origin: string) => posted.push([message, origin]) }
  const window: FrameWindow = {
    name: typeof name === 'string' ? name : JSON.stringify(name),
    parent,
    addEventListener: (_type, listener) => listeners.add(listener),
    removeEventListener: (_type, listener) => listeners.delete(listener),
  }
  const receive = (over: Partial<MessageEvent<unknown>>): void => {
    const event = {
      data: { cashier: 1, channel: CHANNEL, type: 'update', theme: 'light' },
      origin: ORIGIN,
      source: parent,
      ...over,
    } as MessageEvent<unknown>
    for (const listener of listeners) listener(event)
  }
  return { window, posted, receive, listeners }
}

test('messages are sent to the exact origin, in their envelope', () => {
  const { window, posted } = framed()
  const bridge = openFrameBridge(window, [ORIGIN])!
  bridge.send({ type: 'ready' })
  bridge.resize(412.3)
  bridge.resize(0)
  bridge.resize(1e9)
  expect(bridge.appearance).toEqual({ theme: 'dark' })
  expect(posted).toEqual([
    [{ cashier: 1, channel: CHANNEL, type: 'ready' }, ORIGIN],
    [{ cashier: 1, channel: CHANNEL, type: 'resize', height: 413 }, ORIGIN],
    [{ cashier: 1, channel: CHANNEL, type: 'resize', height: 1 }, ORIGIN],
    [{ cashier: 1, channel: CHANNEL, type: 'resize', height: 50_000 }, ORIGIN],
  ])
})

test.each([
  ['a name that is not ours', 'hello'],
  ['an origin that may not embed the page', { cashier: 1, channel: CHANNEL, origin: 'https://evil.example' }],
  ['another version', { cashier: 2, channel: CHANNEL, origin: ORIGIN }],
])('%s: there is no bridge', (_name, name) => {
  expect(openFrameBridge(framed(name).window, [ORIGIN])).toBeNull()
})

test('outside a frame there is no bridge', () => {
  const { window } = framed()
  const top = { ...window }
  Object.assign(top, { parent: top })
  expect(openFrameBridge(top, [ORIGIN])).toBeNull()
})

test('only valid messages of the host on its channel are received, until listening stops', () => {
  const { window, receive, listeners } = framed()
  const received: unknown[] = []
  const stop = openFrameBridge(window, [ORIGIN])!.listen((message) => received.push(message.type))
  receive({})
  receive({ origin: 'https://evil.example' })
  receive({ source: null })
  receive({ data: { cashier: 1, channel: 'b'.repeat(32), type: 'update' } })
  receive({ data: { cashier: 1, channel: CHANNEL, type: 'eval', code: 'x' } })
  expect(received).toEqual(['update'])
  stop()
  expect(listeners.size).toBe(0)
})
