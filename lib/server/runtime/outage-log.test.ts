import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GatewayError } from '../gateway/errors.ts'
import { createLog } from './log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function newLog() {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  return { log: createLog({ level: 'info', secrets: [], destination }), lines }
}

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
const full = (): Error => Object.assign(new Error('could not extend file'), { code: '53100' })

test('an outage is one line for each cause and minute, with a count and without a stack', () => {
  const { log, lines } = newLog()
  const job = log.child({})
  for (let minute = 0; minute < 6; minute += 1) {
    for (let count = 0; count < 500; count += 1) {
      log.warn({ request_id: 'r', err: refused() }, 'a request could not be answered')
      job.warn({ err: new Error('round failed', { cause: refused() }) }, 'a job failed')
    }
    vi.advanceTimersByTime(60_000)
  }
  expect(lines).toHaveLength(7)
  expect(lines[0]).toMatchObject({ request_id: 'r', msg: 'a request could not be answered' })
  expect(lines.slice(1).map(({ count }) => count)).toEqual([999, 1000, 1000, 1000, 1000, 1000])
  for (const { err } of lines) {
    expect(err).toEqual({ type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' })
  }
  vi.advanceTimersByTime(60_000)
  log.warn({ err: refused() }, 'again')
  expect(lines.at(-1)).toMatchObject({ msg: 'again' })
  expect(lines).toHaveLength(8)
})

test('a gateway that refuses connections is not taken for the database, and hides no fault of it', () => {
  const { log, lines } = newLog()
  const details = { operation: 'list_currencies', cause: refused() }
  for (let count = 0; count < 3; count += 1)
    log.warn({ err: new GatewayError('unreachable', 'no connection', details) }, 'reading the currencies failed')
  log.warn({ err: refused() }, 'a request could not be answered')
  vi.advanceTimersByTime(60_000)
  expect(lines.map(({ msg }) => msg)).toEqual([
    ...Array.from({ length: 3 }, () => 'reading the currencies failed'),
    'a request could not be answered',
  ])
})

test('each cause has its own line, and any other error keeps its stack', () => {
  const { log, lines } = newLog()
  for (const error of [refused(), full(), refused(), full()]) log.error({ err: error }, 'failed')
  for (let count = 0; count < 2; count += 1) log.error({ err: new Error('a bug of ours') }, 'failed')
  log.info('nothing')
  expect(lines.map(({ err }) => (err as { message?: string } | undefined)?.message)).toEqual([
    'connect ECONNREFUSED 127.0.0.1:5432',
    'could not extend file',
    'a bug of ours',
    'a bug of ours',
    undefined,
  ])
  expect((lines[2]?.['err'] as { stack: string }).stack).toContain('outage-log.test.ts')
})

test.each(['23505', '57014', 'XX000'])('a statement that fails with %s is logged each time, with its stack', (code) => {
  const { log, lines } = newLog()
  for (let count = 0; count < 2; count += 1)
    log.error({ err: Object.assign(new Error('of one statement'), { code }) }, 'failed')
  expect(lines).toHaveLength(2)
  for (const { err } of lines) expect((err as { stack: string }).stack).toContain('outage-log.test.ts')
})
