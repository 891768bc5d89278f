import { expect, test } from 'vitest'
import { RequestFailure } from './request-failure.ts'
import {
  createWithdrawalAttempt,
  NEXT_PHASE,
  type AttemptEvent,
  type AttemptPhase,
  type WithdrawalAttempt,
} from './withdrawal-attempt.ts'

const order = { currency_id: 'c', amount: '5', wallet_address: 'T' }
const failure = new RequestFailure('timeout', { requestId: null })

function page(stored = new Map<string, string>()) {
  let count = 0
  const open = (sessionId = 's1'): WithdrawalAttempt =>
    createWithdrawalAttempt({
      newKey: () => `key-${(count += 1)}`,
      sessionId,
      clock: () => 1000,
      storage: () => ({
        getItem: (name) => stored.get(name) ?? null,
        setItem: (name, text) => void stored.set(name, text),
        removeItem: (name) => void stored.delete(name),
      }),
    })
  return { stored, open }
}

const reach: Readonly<Record<AttemptPhase, (attempt: WithdrawalAttempt) => void>> = {
  idle: () => undefined,
  sending: (attempt) => attempt.start(order),
  failed: (attempt) => {
    attempt.start(order)
    attempt.fail(failure)
  },
  recorded: (attempt) => {
    attempt.start(order)
    attempt.record('w1')
  },
}
const happen: Readonly<Record<AttemptEvent, (attempt: WithdrawalAttempt) => unknown>> = {
  start: (attempt) => attempt.start(order),
  fail: (attempt) => attempt.fail(failure),
  record: (attempt) => attempt.record('w1'),
  edit: (attempt) => attempt.edit(),
  show: (attempt) => attempt.show('w1'),
}

test.each([
  ['idle', 'start', 'sending'],
  ['idle', 'fail', 'idle'],
  ['idle', 'record', 'idle'],
  ['idle', 'edit', 'idle'],
  ['idle', 'show', 'idle'],
  ['sending', 'start', 'sending'],
  ['sending', 'fail', 'failed'],
  ['sending', 'record', 'recorded'],
  ['sending', 'edit', 'sending'],
  ['sending', 'show', 'sending'],
  ['failed', 'start', 'sending'],
  ['failed', 'fail', 'failed'],
  ['failed', 'record', 'failed'],
  ['failed', 'edit', 'idle'],
  ['failed', 'show', 'failed'],
  ['recorded', 'start', 'recorded'],
  ['recorded', 'fail', 'recorded'],
  ['recorded', 'record', 'recorded'],
  ['recorded', 'edit', 'idle'],
  ['recorded', 'show', 'idle'],
] as const)('%s, then %s, is %s', (from, event, to) => {
  const attempt = page().open()
  reach[from](attempt)
  expect(attempt.get().phase).toBe(from)
  happen[event](attempt)
  expect(attempt.get().phase).toBe(to)
  expect(NEXT_PHASE[from][event] ?? from).toBe(to)
})

test('a request is sent once: presses while it is sent, and after it was recorded, get no key', () => {
  const attempt = page().open()
  expect(attempt.start(order)).toBe('key-1')
  expect(attempt.start(order)).toBeNull()
  attempt.record('w1')
  expect(attempt.start(order)).toBeNull()
  expect(attempt.start({ ...order, amount: '6' })).toBeNull()
})

test('after a failure the same request goes out under the same key, a changed one under another', () => {
  const attempt = page().open()
  expect(attempt.start(order)).toBe('key-1')
  attempt.fail(failure)
  expect(attempt.get()).toEqual({ phase: 'failed', failure })
  expect(attempt.start({ wallet_address: 'T', amount: '5', currency_id: 'c' })).toBe('key-1')
  attempt.fail(failure)
  attempt.edit()
  expect(attempt.start({ ...order, amount: '6' })).toBe('key-2')
})

test('once its outcome is shown, the same request is another withdrawal', () => {
  const { open } = page()
  const attempt = open()
  attempt.start(order)
  attempt.record('w1')
  attempt.show('w1')
  expect(attempt.start(order)).toBe('key-2')
})

test('back at the form before the outcome could be shown, the same request keeps its key', () => {
  const attempt = page().open()
  attempt.start(order)
  attempt.record('w1')
  attempt.edit()
  expect(attempt.start(order)).toBe('key-1')
})

test('showing an older withdrawal does not end an attempt', () => {
  const attempt = page().open()
  attempt.start(order)
  attempt.fail(failure)
  attempt.show('w0')
  expect(attempt.start(order)).toBe('key-1')
})

test('a reload keeps the key, before an answer and after it, until the outcome is shown', () => {
  const { open } = page()
  const first = open()
  first.start(order)
  expect(open().start(order)).toBe('key-1')
  first.record('w1')
  expect(open().start(order)).toBe('key-1')
  open().show('w1')
  expect(open().start(order)).toBe('key-2')
})

test('a second tab sends the same request under the same key, before an answer and after it', () => {
  const { open } = page()
  const [first, second] = [open(), open()]
  expect(first.start(order)).toBe('key-1')
  expect(second.start(order)).toBe('key-1')
  second.record('w1')
  second.show('w1')
  // The first tab has not shown the outcome: its review goes on under its key.
  first.fail(failure)
  expect(first.start(order)).toBe('key-1')
})

test('a request keeps its key while others are made', () => {
  const { open } = page()
  const attempt = open()
  attempt.start(order)
  attempt.fail(failure)
  expect(attempt.start({ ...order, amount: '6' })).toBe('key-2')
  attempt.record('w2')
  attempt.show('w2')
  expect(attempt.start(order)).toBe('key-1')
  expect(open().start(order)).toBe('key-1')
})

test('a key of yesterday is forgotten, and so is what the storage has of it', () => {
  const yesterday = 1000 - 86_400_000
  const stored = new Map([['cashier.withdrawal-keys', JSON.stringify([['s2', 'old', '[]', '', yesterday, false]])]])
  const { open } = page(stored)
  open().start(order)
  expect(stored.get('cashier.withdrawal-keys')).not.toContain('old')
})

test('a request is a retry as long as it keeps its key', () => {
  const attempt = page().open()
  expect(attempt.isRetry(order)).toBe(false)
  attempt.start(order)
  attempt.fail(failure)
  expect(attempt.isRetry({ wallet_address: 'T', amount: '5', currency_id: 'c' })).toBe(true)
  expect(attempt.isRetry({ ...order, amount: '6' })).toBe(false)
  attempt.start(order)
  attempt.record('w1')
  attempt.show('w1')
  expect(attempt.isRetry(order)).toBe(false)
})

test('what was recorded is remembered with its time', () => {
  const attempt = page().open()
  attempt.start(order)
  attempt.fail(failure)
  expect(attempt.sent()).toEqual([])
  attempt.start(order)
  attempt.record('w1')
  attempt.show('w1')
  expect(attempt.sent()).toEqual([{ withdrawalId: 'w1', request: order, atMs: 1000 }])
})

test('what another tab has recorded and shown is known at once', () => {
  const { open } = page()
  const [here, there] = [open(), open()]
  there.start(order)
  there.record('w1')
  there.show('w1')
  expect(here.isRetry(order)).toBe(false)
  expect(here.sent()).toEqual([{ withdrawalId: 'w1', request: order, atMs: 1000 }])
})

test('another session has its own attempts', () => {
  const { open } = page()
  open('s1').start(order)
  expect(open('s2').start(order)).toBe('key-2')
})

test.each(['{', '{"a":1}', 'null', '[1,2,3]', '[["s1",1,2,3,4,5]]', '[["s1","k","{}","w","1",false]]'])(
  '%s in the storage is ignored',
  (text) => {
    const { open } = page(new Map([['cashier.withdrawal-keys', text]]))
    expect(open().sent()).toEqual([])
    expect(open().start(order)).toBe('key-1')
  },
)

test('a content in the storage that is no request is nothing sent', () => {
  const { open } = page(new Map([['cashier.withdrawal-keys', '[["s1","k","{}","w1",1,true]]']]))
  expect(open().sent()).toEqual([])
})

test('where storage is denied it lasts as long as the page', () => {
  const attempt = createWithdrawalAttempt({
    newKey: () => 'key-1',
    clock: () => 1000,
    sessionId: 's1',
    storage: () => {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  expect(attempt.start(order)).toBe('key-1')
  attempt.record('w1')
  attempt.show('w1')
  expect(attempt.get().phase).toBe('idle')
})

test('subscribers are called on each change, and not for ignored events', () => {
  const attempt = page().open()
  const phases: string[] = []
  const stop = attempt.subscribe(() => phases.push(attempt.get().phase))
  attempt.start(order)
  attempt.start(order)
  attempt.record('w1')
  stop()
  attempt.show('w1')
  expect(phases).toEqual(['sending', 'recorded'])
})
