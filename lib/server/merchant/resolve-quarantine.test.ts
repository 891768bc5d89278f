import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import type { QuarantineReason } from '../store/types.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleQuarantined } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { MERCHANT_BACKEND } from './merchant-caller.ts'
import { CAN_APPLY } from './quarantine-reasons.ts'
import { createResolveQuarantine, type ResolveOptions } from './resolve-quarantine.ts'

const NOW = Date.UTC(2026, 4, 1)
const REASONS = Object.keys(CAN_APPLY) as QuarantineReason[]

describe.each(FLAVOURS)('on %s', (flavour) => {
  let database: TestDatabase
  let store: Store
  const applyAgain = vi.fn<ResolveOptions['applyAgain']>()

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    store = await openStore({ url: database.url, clock: () => NOW, deliver: false })
    applyAgain.mockReset()
  })

  afterEach(async () => {
    await store.close()
    await database.remove()
  })

  const resolve = (id: string, action: 'apply' | 'dismiss', note?: string, caller = MERCHANT_BACKEND) =>
    createResolveQuarantine({ store, clock: () => NOW, applyAgain })(id, { action, ...(note && { note }) }, caller)

  const put = (reason: QuarantineReason): Promise<void> =>
    seed(store, { quarantine: [sampleQuarantined({ reason, event: '{"n":1.50}' })] })

  test.each(REASONS)('%s can be dismissed, once', async (reason) => {
    await put(reason)
    const resolved = await resolve('1', 'dismiss', 'not ours')
    expect(JSON.parse(JSON.stringify(resolved))).toEqual({
      outcome: 'dismissed',
      item: {
        id: '1',
        reason,
        received_at: '2026-05-01T00:00:00.000Z',
        event: { n: 1.5 },
        settled_at: '2026-05-01T00:00:00.000Z',
        settled_by: 'merchant',
        note: 'not ours',
      },
    })
    for (const action of ['dismiss', 'apply'] as const)
      await expect(resolve('1', action)).rejects.toMatchObject({ code: 'conflict' })
    expect(applyAgain).not.toHaveBeenCalled()
  })

  test.each(REASONS.filter((reason) => CAN_APPLY[reason]))('%s can be applied again', async (reason) => {
    await put(reason)
    applyAgain.mockResolvedValueOnce(reason as never)
    expect(await resolve('1', 'apply', 'try')).toMatchObject({ outcome: reason, item: { reason, settled_at: null } })
    applyAgain.mockImplementationOnce(async (row, request) => {
      await store.quarantine.settle(row.id, { ...request, now: NOW })
      return 'applied'
    })
    expect(await resolve('1', 'apply', 'try')).toMatchObject({
      outcome: 'applied',
      item: { settled_by: 'merchant', note: 'try' },
    })
  })

  test.each(REASONS.filter((reason) => !CAN_APPLY[reason]))('%s cannot be applied', async (reason) => {
    await put(reason)
    await expect(resolve('1', 'apply')).rejects.toMatchObject({ code: 'conflict' })
    expect(applyAgain).not.toHaveBeenCalled()
  })

  test('an event that another call settles first is a conflict', async () => {
    await put('stale')
    applyAgain.mockResolvedValueOnce(null)
    await expect(resolve('1', 'apply')).rejects.toMatchObject({ code: 'conflict' })
  })

  test.each(['9', 'x', '', '-1', '1e3', '99999999999999999999'])('%j is not found', async (id) => {
    await put('stale')
    for (const action of ['dismiss', 'apply'] as const)
      await expect(resolve(id, action)).rejects.toMatchObject({ code: 'not_found' })
  })
})
