import { expect, test } from 'vitest'
import * as contract from '#lib/contract/stream.ts'
import type { StreamEvent } from '#lib/contract/stream.ts'
import { openEventStream, type EventStreamOptions } from './event-stream.ts'

const RENEW_AFTER_MS = 120_000
const OPEN_WITHIN_MS = 10_000
const PAUSED_WITHIN_MS = 30_000

class FakeSource extends EventTarget {
  readyState = 0
  closed = false
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
  }
  close(): void {
    this.closed = true
    this.readyState = 2
  }
  opens(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  says(type: string, data: unknown, lastEventId: string): void {
    this.dispatchEvent(
      new MessageEvent(type, { data: typeof data === 'string' ? data : JSON.stringify(data), lastEventId }),
    )
  }
  breaks(readyState: 0 | 2): void {
    this.readyState = readyState
    this.dispatchEvent(new Event('error'))
  }
}

const balance = (available: string) => ({ currency_id: 'c', available, held: '0' })

function stream(over: Partial<EventStreamOptions> = {}) {
  const sources: FakeSource[] = []
  const events: StreamEvent[] = []
  const states: string[] = []
  const timers: { run: () => void; ms: number; cancelled: boolean }[] = []
  const renewals: typeof timers = []
  const late: typeof timers = []
  const told: string[] = []
  let gaps = 0
  const opened = openEventStream({
    sessionId: 's1',
    position: '7',
    loadSchemas: () => Promise.resolve(contract),
    makeEventSource: (url) => {
      const source = new FakeSource(url)
      sources.push(source)
      return source as unknown as EventSource
    },
    setTimer: (run, ms) => {
      const timer = { run, ms, cancelled: false }
      const list = ms === RENEW_AFTER_MS ? renewals : ms === OPEN_WITHIN_MS ? late : timers
      list.push(timer)
      return () => {
        timer.cancelled = true
      }
    },
    onEvent: (event) => {
      events.push(event)
      told.push(event.type)
    },
    onGap: () => {
      gaps += 1
    },
    onReset: () => told.push('reset'),
    onState: (state) => states.push(state),
    ...over,
  })
  opened.resume()
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    ...opened,
    sources,
    events,
    told,
    states,
    timers,
    renewals,
    late,
    settle,
    gaps: () => gaps,
    last: () => sources.at(-1)!,
  }
}

test('it starts at the position of the rendered page, without a refetch', () => {
  const { last, gaps, states } = stream()
  expect(last().url).toBe('/api/cashier/events?session=s1&last_event_id=7')
  last().opens()
  expect(gaps()).toBe(0)
  expect(states).toEqual(['live'])
})

test('without a position it reports a gap once it is open', () => {
  const { last, gaps } = stream({ position: null })
  expect(last().url).toBe('/api/cashier/events?session=s1')
  last().opens()
  expect(gaps()).toBe(1)
})

test('events keep their order while the parsers load', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof contract>()
  const { last, events } = stream({ loadSchemas: () => promise })
  last().opens()
  for (const [index, available] of ['1', '2', '3'].entries()) {
    last().says('balance', balance(available), String(8 + index))
  }
  expect(events).toEqual([])
  resolve(contract)
  await expect
    .poll(() => events.map(({ data }) => ('available' in data ? data.available : '')))
    .toEqual(['1', '2', '3'])
})

test.each([
  ['not JSON', '{'],
  ['another shape', { currency_id: 5 }],
])('%s is a gap, not an event', async (_name, data) => {
  const { last, events, gaps, settle } = stream()
  last().opens()
  last().says('balance', data, '8')
  await settle()
  expect(events).toEqual([])
  expect(gaps()).toBe(1)
})

test('a reset is told after the events before it, and the stream continues from there', async () => {
  const { last, told, timers, settle } = stream()
  last().opens()
  last().says('balance', balance('1'), '8')
  last().says('reset', {}, '40')
  last().says('balance', balance('2'), '41')
  last().says('reset', {}, '40')
  await settle()
  expect(told).toEqual(['balance', 'reset', 'balance', 'reset'])
  last().breaks(2)
  timers[0]!.run()
  expect(last().url).toContain('last_event_id=40')
})

test('while the browser reconnects by itself, no new stream is opened', () => {
  const { last, sources, states, timers } = stream()
  last().opens()
  last().breaks(0)
  expect(states).toEqual(['live', 'reconnecting'])
  expect(sources).toHaveLength(1)
  expect(timers).toHaveLength(0)
})

test('a refused stream is opened again after the last event, with growing delays', async () => {
  const { last, timers, settle } = stream()
  last().opens()
  last().says('balance', balance('1'), '9')
  await settle()
  for (const wait of [2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    last().breaks(2)
    expect(timers.at(-1)!.ms).toBe(wait)
    timers.at(-1)!.run()
  }
  expect(last().url).toContain('last_event_id=9')
  last().opens()
  last().breaks(2)
  expect(timers.at(-1)!.ms).toBe(2000)
})

test('reconnect opens a new stream at once, even if one seems to be open', () => {
  const { last, sources, reconnect, timers } = stream()
  last().breaks(2)
  reconnect()
  expect(sources).toHaveLength(2)
  expect(timers[0]!.cancelled).toBe(true)
  last().opens()
  reconnect()
  expect(sources.map(({ closed }) => closed)).toEqual([true, true, false])
})

test('a stream without events for two minutes is replaced at the same position, without a refetch', async () => {
  const { last, sources, renewals, gaps, states, settle } = stream()
  const due = () => renewals.filter(({ cancelled }) => !cancelled)
  last().opens()
  last().says('balance', balance('1'), '8')
  await settle()
  expect(due()).toHaveLength(1)
  due()[0]!.run()
  expect(sources.map(({ closed }) => closed)).toEqual([true, false])
  expect(last().url).toContain('last_event_id=8')
  last().opens()
  expect(gaps()).toBe(0)
  expect(states).toEqual(['live', 'live'])
})

test('a stream that does not open is not live, even if the previous one was', () => {
  const { last, renewals, late, states } = stream()
  last().opens()
  expect(late.every(({ cancelled }) => cancelled)).toBe(true)
  renewals.find(({ cancelled }) => !cancelled)!.run()
  late.find(({ cancelled }) => !cancelled)!.run()
  expect(states).toEqual(['live', 'reconnecting'])
  last().opens()
  expect(states).toEqual(['live', 'reconnecting', 'live'])
})

test('a stream that waits for its retry is not replaced', () => {
  const { last, renewals } = stream()
  last().breaks(2)
  expect(renewals.every(({ cancelled }) => cancelled)).toBe(true)
})

test('a paused stream has no connection and counts as live for 30 s; resumed, it continues after the last event', async () => {
  const { last, sources, pause, resume, reconnect, timers, states, settle } = stream()
  last().opens()
  last().says('balance', balance('1'), '9')
  await settle()
  pause()
  reconnect()
  expect(sources.map(({ closed }) => closed)).toEqual([true])
  expect(states).toEqual(['live'])
  const [late] = timers.filter(({ ms, cancelled }) => ms === PAUSED_WITHIN_MS && !cancelled)
  late?.run()
  expect(states).toEqual(['live', 'reconnecting'])
  resume()
  expect(last().url).toContain('last_event_id=9')
  last().opens()
  expect(states).toEqual(['live', 'reconnecting', 'live'])
})

test('an error of a released stream has no effect', () => {
  const { sources, pause, states, timers } = stream()
  sources[0]!.opens()
  pause()
  sources[0]!.breaks(2)
  expect(states).toEqual(['live'])
  expect(timers.filter(({ ms }) => ms !== PAUSED_WITHIN_MS)).toEqual([])
})

test('if no stream can be made, the state is `none` and retries follow with growing delays', () => {
  const makeEventSource = () => {
    throw new ReferenceError('EventSource is not defined')
  }
  const { states, timers, late, renewals } = stream({ makeEventSource })
  expect(states).toEqual(['none'])
  timers.at(-1)!.run()
  expect(timers.map(({ ms }) => ms)).toEqual([2000, 4000])
  expect([...late, ...renewals].every(({ cancelled }) => cancelled)).toBe(true)
})

test('a closed stream reports nothing', async () => {
  const { last, close, events, sources, timers, renewals, settle, states } = stream()
  last().opens()
  last().says('balance', balance('1'), '8')
  close()
  last().breaks(2)
  await settle()
  expect(last().closed).toBe(true)
  expect(events).toEqual([])
  expect(timers).toEqual([])
  expect(renewals.every(({ cancelled }) => cancelled)).toBe(true)
  expect(sources).toHaveLength(1)
  expect(states).toEqual(['live'])
})
