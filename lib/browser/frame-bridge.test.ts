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
  const hear = (over: Partial<MessageEvent<unknown>>): void => {
    const event = {
      data: { cashier: 1, channel: CHANNEL, type: 'update', theme: 'light' },
      origin: ORIGIN,
      source: parent,
      ...over,
    } as MessageEvent<unknown>
    for (const listener of listeners) listener(event)
  }
  return { window, posted, hear, listeners }
}

test('messages go to the exact origin, sealed', () => {
  const { window, posted } = framed()
  const bridge = openFrameBridge(window, [ORIGIN])!
  bridge.send({ type: 'ready' })
  bridge.resize(412.3)
  bridge.resize(0)
  bridge.resize(1e9)
  expect(bridge.looks).toEqual({ theme: 'dark' })
  expect(posted).toEqual([
    [{ cashier: 1, channel: CHANNEL, type: 'ready' }, ORIGIN],
    [{ cashier: 1, channel: CHANNEL, type: 'resize', height: 413 }, ORIGIN],
    [{ cashier: 1, channel: CHANNEL, type: 'resize', height: 1 }, ORIGIN],
    [{ cashier: 1, channel: CHANNEL, type: 'resize', height: 50_000 }, ORIGIN],
  ])
})

test.each([
  ['no name of ours', 'hello'],
  ['an origin that may not frame', { cashier: 1, channel: CHANNEL, origin: 'https://evil.example' }],
  ['another version', { cashier: 2, channel: CHANNEL, origin: ORIGIN }],
])('%s: there is no bridge', (_name, name) => {
  expect(openFrameBridge(framed(name).window, [ORIGIN])).toBeNull()
})

test('on top there is no bridge', () => {
  const { window } = framed()
  const top = { ...window }
  Object.assign(top, { parent: top })
  expect(openFrameBridge(top, [ORIGIN])).toBeNull()
})

test('only the host, on its channel, in its words, is heard; and no longer than asked', () => {
  const { window, hear, listeners } = framed()
  const heard: unknown[] = []
  const stop = openFrameBridge(window, [ORIGIN])!.listen((message) => heard.push(message.type))
  hear({})
  hear({ origin: 'https://evil.example' })
  hear({ source: null })
  hear({ data: { cashier: 1, channel: 'b'.repeat(32), type: 'update' } })
  hear({ data: { cashier: 1, channel: CHANNEL, type: 'eval', code: 'x' } })
  expect(heard).toEqual(['update'])
  stop()
  expect(listeners.size).toBe(0)
})
