import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { changedEvent, type ChangedEvent } from '#lib/contract/operate/live.ts'
import { sampleFact, sampleQuarantined } from '../../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../../store/testing/seed.ts'
import { FLAVOURS } from '../../store/testing/test-databases.ts'
import { useStores } from '../../store/testing/use-stores.ts'
import { createConsoleChanges } from './console-changes.ts'
import { createReadChanges } from './read-changes.ts'

const onFault = (error: unknown): never => {
  throw error
}
const alive = (): Promise<boolean> => Promise.resolve(true)

/** The hints in a stream's text. */
const hintsOf = (text: string): readonly ChangedEvent[] =>
  text.split('\n\n').flatMap((event) => {
    const [name, data = ''] = event.split('\n')
    return name === 'event: changed' ? [changedEvent.parse(JSON.parse(data.slice('data: '.length)))] : []
  })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, deliver: true })
  const open: ReturnType<typeof createConsoleChanges>[] = []
  const changesOf = () => {
    const changes = createConsoleChanges({ store: stores.one, onFault })
    open.push(changes)
    return changes
  }
  afterEach(async () => {
    for (const changes of open.splice(0)) await changes.closeChanges()
  })

  test('each kind of change has its areas, and its users', async () => {
    const { one } = stores
    const read = createReadChanges(one)
    expect(await read()).toBe(null)
    expect(await read()).toBe(null)
    await one.users.ensure('u', 1)
    await one.users.totalsChecked('u')
    await read()
    await applyOneFact(one, sampleFact({ transaction_uuid: 't1' }))
    await one.events.number()
    const deposit = await read()
    expect([deposit?.areas.includes('transactions'), deposit?.areas.includes('withdrawals'), deposit?.users]).toEqual([
      true,
      false,
      ['u'],
    ])
    await seed(one, { quarantine: [sampleQuarantined()] })
    expect(await read()).toEqual({ areas: ['exceptions', 'quarantine'], users: [] })
    await one.quarantine.settle(1, { by: 'merchant', now: 5 })
    expect((await read())?.areas).toContain('quarantine')
    // The landing page tells when the last webhook came.
    await seed(one, { webhooks: [{ received_ms: 6000, sent_s: 6, body: '{}', outcome: 'applied' }] })
    expect(await read()).toEqual({ areas: ['exceptions'], users: [] })
    await seed(one, { webhooks: [{ received_ms: 6001, sent_s: 6, body: '{}', outcome: 'applied' }] })
    expect(await read()).toBe(null)
  })

  test('a stream gets hints after commits of this and of other instances, and ends when the instance stops', async () => {
    const { one } = stores
    const another = await stores.another()
    await one.users.ensure('u', 1)
    const changes = changesOf()
    const out = new PassThrough()
    let text = ''
    out.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const ended = new Promise((resolve) => out.once('end', resolve))
    changes.openChanges(alive).writeTo(out)
    await vi.waitFor(() => expect(text).toContain('event: ready'))
    await applyOneFact(one, sampleFact({ transaction_uuid: 't1' }))
    await vi.waitFor(() => expect(hintsOf(text).flatMap(({ users }) => users ?? [])).toContain('u'), 8000)
    const before = hintsOf(text).length
    await applyOneFact(another, sampleFact({ transaction_uuid: 't2' }))
    await vi.waitFor(() => expect(hintsOf(text).length).toBeGreaterThan(before), 8000)
    await changes.closeChanges()
    await ended
    expect(() => changes.openChanges(alive)).toThrow()
  }, 30_000)

  test('a stream ends with the session of its operator', async () => {
    const changes = changesOf()
    const out = new PassThrough()
    const ended = new Promise((resolve) => out.once('end', resolve))
    out.resume()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      let isAlive = true
      changes.openChanges(() => Promise.resolve(isAlive)).writeTo(out)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(out.writableEnded).toBe(false)
      isAlive = false
      await vi.advanceTimersByTimeAsync(5000)
      await ended
    } finally {
      vi.useRealTimers()
    }
  })
})
