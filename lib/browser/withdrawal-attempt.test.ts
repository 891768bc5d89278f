import { expect, test } from 'vitest'
import { RequestFailure, type FailureCode } from './request-failure.ts'
import {
  createWithdrawalAttempt,
  NEXT_PHASE,
  type AttemptEvent,
  type AttemptPhase,
  type WithdrawalAttempt,
} from './withdrawal-attempt.ts'

const order = { currency_id: 'c', amount: '5', wallet_address: 'T' }
const failure = new RequestFailure('timeout', { requestId: null })

/** The value that tabs share; each change is a transaction. */
class SharedStore {
  value: unknown

  constructor(value?: unknown) {
    this.value = value
  }

  update(change: (stored: unknown) => unknown): Promise<void> {
    const next = change(structuredClone(this.value))
    if (next !== null) this.value = structuredClone(next)
    return Promise.resolve()
  }
}

function page(store = new SharedStore()) {
  let count = 0
  const open = (sessionId = 's1'): WithdrawalAttempt =>
    createWithdrawalAttempt({ newKey: () => `key-${(count += 1)}`, sessionId, clock: () => 1000, store })
  return { store, open }
}

const reach: Readonly<Record<AttemptPhase, (attempt: WithdrawalAttempt) => unknown>> = {
  idle: () => undefined,
  sending: (attempt) => attempt.start(order),
  failed: async (attempt) => {
    await attempt.start(order)
    attempt.fail(failure)
  },
  recorded: async (attempt) => {
    await attempt.start(order)
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
] as const)('%s, then %s, is %s', async (from, event, to) => {
  const attempt = page().open()
  await reach[from](attempt)
  expect(attempt.get().phase).toBe(from)
  await happen[event](attempt)
  expect(attempt.get().phase).toBe(to)
  expect(NEXT_PHASE[from][event] ?? from).toBe(to)
})

test('a request is sent once: presses during sending and after recording get no key', async () => {
  const attempt = page().open()
  expect(await attempt.start(order)).toBe('key-1')
  expect(await attempt.start(order)).toBeNull()
  attempt.record('w1')
  expect(await attempt.start(order)).toBeNull()
  expect(await attempt.start({ ...order, amount: '6' })).toBeNull()
})

test('after a failure the same request is sent with the same key, a changed request with another key', async () => {
  const attempt = page().open()
  expect(await attempt.start(order)).toBe('key-1')
  attempt.fail(failure)
  expect(attempt.get()).toEqual({ phase: 'failed', failure })
  expect(await attempt.start({ wallet_address: 'T', amount: '5', currency_id: 'c' })).toBe('key-1')
  attempt.fail(failure)
  attempt.edit()
  expect(await attempt.start({ ...order, amount: '6' })).toBe('key-2')
})

const failWith = (code: FailureCode): RequestFailure => new RequestFailure(code, { requestId: null })

test.each(['offline', 'timeout', 'unreadable', 'internal', 'store_unavailable', 'conflict'] as const)(
  'after %s a refusal before the key was looked up does not show that nothing was sent',
  async (code) => {
    const attempt = page().open()
    await attempt.start(order)
    attempt.fail(failWith(code))
    for (const refusal of ['session_ended', 'unauthenticated', 'gateway_unavailable', 'flow_not_allowed'] as const) {
      await attempt.start(order)
      attempt.fail(failWith(refusal))
      expect(attempt.get()).toMatchObject({ phase: 'failed', failure: { code } })
    }
    attempt.edit()
    expect(attempt.unclear()?.code).toBe(code)
    await attempt.start(order)
    attempt.fail(failWith('insufficient_balance'))
    expect(attempt.get()).toMatchObject({ failure: { code: 'insufficient_balance' } })
    expect(attempt.unclear()).toBeNull()
  },
)

test('a request that another page may have sent is unclear until its key is known to be unused', async () => {
  const { open } = page()
  await open().start(order)
  const reloaded = open()
  await reloaded.start(order)
  reloaded.fail(failWith('session_ended'))
  expect(reloaded.get()).toMatchObject({ failure: { code: 'timeout' } })
  await reloaded.start(order)
  reloaded.fail(failWith('outcome_unknown'))
  await reloaded.start(order)
  reloaded.fail(failWith('session_ended'))
  expect(reloaded.get()).toMatchObject({ failure: { code: 'session_ended' } })
})

test('another request, and a recorded one, is not unclear', async () => {
  const attempt = page().open()
  await attempt.start(order)
  attempt.fail(failure)
  await attempt.start({ ...order, amount: '6' })
  attempt.fail(failWith('gateway_unavailable'))
  expect(attempt.get()).toMatchObject({ failure: { code: 'gateway_unavailable' } })
  await attempt.start(order)
  attempt.record('w1')
  expect(attempt.unclear()).toBeNull()
})

test('after its outcome is shown, the same request is another withdrawal', async () => {
  const { open } = page()
  const attempt = open()
  await attempt.start(order)
  attempt.record('w1')
  attempt.show('w1')
  expect(await attempt.start(order)).toBe('key-2')
})

test('if the user returns to the form before the outcome is shown, the same request keeps its key', async () => {
  const attempt = page().open()
  await attempt.start(order)
  attempt.record('w1')
  attempt.edit()
  expect(await attempt.start(order)).toBe('key-1')
})

test('showing an older withdrawal does not end an attempt', async () => {
  const attempt = page().open()
  await attempt.start(order)
  attempt.fail(failure)
  attempt.show('w0')
  expect(await attempt.start(order)).toBe('key-1')
})

test('a reload keeps the key until the outcome is shown, before and after a response', async () => {
  const { open } = page()
  const first = open()
  await first.start(order)
  expect(await open().start(order)).toBe('key-1')
  first.record('w1')
  expect(await open().start(order)).toBe('key-1')
  open().show('w1')
  const last = open()
  await last.refresh()
  expect(await last.start(order)).toBe('key-2')
})

test('a second tab sends the same request with the same key, before and after a response', async () => {
  const { open } = page()
  const [first, second] = [open(), open()]
  expect(await first.start(order)).toBe('key-1')
  expect(await second.start(order)).toBe('key-1')
  second.record('w1')
  second.show('w1')
  // The first tab has not shown the outcome, so its review keeps its key.
  first.fail(failure)
  expect(await first.start(order)).toBe('key-1')
})

test('a request that another tab sent and showed after the last refresh keeps its key in this tab', async () => {
  const { open } = page()
  const [here, there] = [open(), open()]
  await here.refresh()
  await there.start(order)
  there.record('w1')
  there.show('w1')
  expect(await here.start(order)).toBe('key-1')
  here.fail(failure)
  expect(await here.start(order)).toBe('key-1')
})

test('a tab that sends again or gets a late response removes nothing that another tab knows', async () => {
  const { open } = page()
  const [here, there, third] = [open(), open(), open()]
  await here.start(order)
  await there.start(order)
  there.record('w1')
  here.fail(failure)
  await here.start(order)
  await third.refresh()
  expect(third.sent()).toEqual([{ withdrawalId: 'w1', request: order, atMs: 1000 }])
  there.show('w1')
  here.record('w1')
  await third.refresh()
  expect(third.isRetry(order)).toBe(false)
})

test('presses in two tabs at once use one key', async () => {
  const { open } = page()
  expect(await Promise.all([open().start(order), open().start(order)])).toEqual(['key-1', 'key-1'])
})

test('a tab that changes one key removes no other key', async () => {
  const { open } = page()
  const [here, there] = [open(), open()]
  await here.refresh()
  await there.start(order)
  await here.start({ ...order, amount: '6' })
  here.record('w2')
  here.show('w2')
  expect(await open().start(order)).toBe('key-1')
})

test('a request keeps its key while other requests are made', async () => {
  const { open } = page()
  const attempt = open()
  await attempt.start(order)
  attempt.fail(failure)
  expect(await attempt.start({ ...order, amount: '6' })).toBe('key-2')
  attempt.record('w2')
  attempt.show('w2')
  expect(await attempt.start(order)).toBe('key-1')
  expect(await open().start(order)).toBe('key-1')
})

test('a key of yesterday is removed, also from the store', async () => {
  const yesterday = 1000 - 86_400_000
  const { open, store } = page(new SharedStore([['s2', 'old', '[]', '', yesterday, false]]))
  await open().start(order)
  expect(JSON.stringify(store.value)).not.toContain('old')
})

test('a request is a retry while it keeps its key', async () => {
  const attempt = page().open()
  expect(attempt.isRetry(order)).toBe(false)
  await attempt.start(order)
  attempt.fail(failure)
  expect(attempt.isRetry({ wallet_address: 'T', amount: '5', currency_id: 'c' })).toBe(true)
  expect(attempt.isRetry({ ...order, amount: '6' })).toBe(false)
  await attempt.start(order)
  attempt.record('w1')
  attempt.show('w1')
  expect(attempt.isRetry(order)).toBe(false)
})

test('a refused request keeps its key but is no retry: it may pay in addition to another withdrawal', async () => {
  const attempt = page().open()
  await attempt.start(order)
  attempt.fail(new RequestFailure('insufficient_balance', { requestId: 'r' }))
  expect(attempt.isRetry(order)).toBe(false)
  expect(await attempt.start(order)).toBe('key-1')
  attempt.fail(failure)
  expect(attempt.isRetry(order)).toBe(true)
})

test('a recorded withdrawal is remembered with its time', async () => {
  const attempt = page().open()
  await attempt.start(order)
  attempt.fail(failure)
  expect(attempt.sent()).toEqual([])
  await attempt.start(order)
  attempt.record('w1')
  attempt.show('w1')
  expect(attempt.sent()).toEqual([{ withdrawalId: 'w1', request: order, atMs: 1000 }])
})

test('after a refresh a tab knows what another tab has recorded and shown', async () => {
  const { open } = page()
  const [here, there] = [open(), open()]
  await there.start(order)
  there.record('w1')
  there.show('w1')
  await here.refresh()
  expect(here.isRetry(order)).toBe(false)
  expect(here.sent()).toEqual([{ withdrawalId: 'w1', request: order, atMs: 1000 }])
})

test('another session has its own attempts', async () => {
  const { open } = page()
  await open('s1').start(order)
  expect(await open('s2').start(order)).toBe('key-2')
})

test.each([
  [undefined],
  [{ a: 1 }],
  [null],
  [[1, 2, 3]],
  [[['s1', 1, 2, 3, 4, 5]]],
  [[['s1', 'k', '{}', 'w', '1', false]]],
])('%j in the store is ignored', async (value) => {
  const { open } = page(new SharedStore(value))
  const attempt = open()
  await attempt.refresh()
  expect(attempt.sent()).toEqual([])
  expect(await attempt.start(order)).toBe('key-1')
})

test('stored content that is not a request counts as nothing sent', async () => {
  const attempt = page(new SharedStore([['s1', 'k', '{}', 'w1', 900, true]])).open()
  await attempt.refresh()
  expect(attempt.sent()).toEqual([])
})

test('without access to the store, an attempt lasts as long as the page', async () => {
  const attempt = createWithdrawalAttempt({
    newKey: () => 'key-1',
    clock: () => 1000,
    sessionId: 's1',
    store: { update: () => Promise.reject(new DOMException('denied', 'SecurityError')) },
  })
  expect(await attempt.start(order)).toBe('key-1')
  attempt.record('w1')
  attempt.show('w1')
  expect(attempt.get().phase).toBe('idle')
})

test('if no key can be made, the attempt fails with nothing sent and can start again', async () => {
  let works = false
  const attempt = createWithdrawalAttempt({
    newKey: () => {
      if (!works) throw new TypeError('no randomness')
      return 'key-1'
    },
    clock: () => 1000,
    sessionId: 's1',
    store: new SharedStore(),
  })
  await expect(attempt.start(order)).rejects.toThrow('no randomness')
  expect(attempt.get()).toMatchObject({ phase: 'failed', failure: { code: 'not_available' } })
  works = true
  expect(await attempt.start(order)).toBe('key-1')
})

test('subscribers are called on each change, not for ignored events', async () => {
  const attempt = page().open()
  const phases: string[] = []
  const stop = attempt.subscribe(() => phases.push(attempt.get().phase))
  await attempt.start(order)
  await attempt.start(order)
  attempt.record('w1')
  stop()
  attempt.show('w1')
  expect(phases).toEqual(['sending', 'recorded'])
})
