import { beforeEach, describe, expect, test } from 'vitest'
import { FLAVOURS } from '../../store/testing/test-databases.ts'
import { useStores } from '../../store/testing/use-stores.ts'
import { createInstanceReports } from './instance-reports.ts'

let now = 0
const failed = { operation: 'withdraw', outcome: 'unreachable' } as const
const answered = { operation: 'withdraw', outcome: 'validation' } as const

describe.each(FLAVOURS)('%s', (flavour) => {
  beforeEach(() => {
    now = 100_000
  })
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now })

  const begin = (instance = 'i1') =>
    createInstanceReports({
      store: stores.one,
      instance,
      clock: () => now,
      onFault: (error) => {
        throw error
      },
    })
  const stored = async () =>
    (await stores.one.instanceReports.all()).map(({ instance, what, since_ms, last_ms, count, detail }) => [
      instance,
      what,
      since_ms,
      last_ms,
      count,
      detail,
    ])

  test('a refused webhook is stored, also without a console: the doctor reads it', async () => {
    const reports = begin()
    reports.webhookRefused('unauthenticated')
    await reports.flush()
    expect(await stored()).toEqual([['i1', 'webhook_refused', 100_000, 100_000, 1, 'unauthenticated']])
  })

  test('three calls without an answer in a row are an outage, until any answer comes', async () => {
    const reports = begin()
    reports.gatewayCalled(failed)
    reports.gatewayCalled(answered)
    for (let count = 0; count < 2; count += 1) reports.gatewayCalled(failed)
    await reports.flush()
    expect(await stored()).toEqual([])
    now += 1000
    reports.gatewayCalled({ ...failed, outcome: 'outcome_unknown' })
    reports.gatewayCalled(failed)
    await reports.flush()
    expect(await stored()).toEqual([['i1', 'gateway_down', 100_000, 101_000, 4, 'withdraw: unreachable']])
    reports.gatewayCalled(answered)
    await reports.flush()
    expect(await stored()).toEqual([])
  })

  test('a refused key, until a call is let in', async () => {
    const reports = begin()
    for (let count = 0; count < 2; count += 1)
      reports.gatewayCalled({ operation: 'listCurrencies', outcome: 'authentication' })
    await reports.flush()
    expect(await stored()).toEqual([['i1', 'gateway_refuses', 100_000, 100_000, 2, 'listCurrencies']])
    reports.gatewayCalled({ operation: 'listCurrencies', outcome: 'ok' })
    await reports.flush()
    expect(await stored()).toEqual([])
  })

  test('an accepted webhook ends what this instance reports of webhooks, and not what another one does', async () => {
    const [one, other] = [begin(), begin('i2')]
    one.webhookRefused('unauthenticated')
    one.listTold(3)
    one.listTold(0)
    other.listTold(2)
    await Promise.all([one.flush(), other.flush()])
    expect((await stored()).length).toBe(3)
    one.webhookAccepted()
    await one.flush()
    expect(await stored()).toEqual([['i2', 'list_news', 100_000, 100_000, 2, null]])
  })
})
