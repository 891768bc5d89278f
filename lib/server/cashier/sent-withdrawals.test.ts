import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import { sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createSentWithdrawals } from './sent-withdrawals.ts'

const sentRow = (id: string, user_reference_id: string) =>
  sampleWithdrawal({
    ...{ id, user_reference_id, idempotency_key: id, step: 'calling', driver: 'one', called_ms: 1 },
    amount: decimal('5'),
  })

const ALL = { status: null, user_reference_id: null }
const NEWEST = { created_ms: Number.MAX_SAFE_INTEGER, id: '' }

describe.each(FLAVOURS)('lost withdrawals on %s', (flavour) => {
  const stores = useStores(flavour)

  test('come back, the newest first, although the credit that they used is lost too, and whatever becomes of the others', async () => {
    const sent = createSentWithdrawals(() => 0)
    for (const row of [sentRow('w1', 'u'), sentRow('w2', 'v')]) sent.add(row)
    const faults: string[] = []
    const transaction: typeof stores.one.transaction = (work) =>
      stores.one.transaction(async (tx) => {
        const done = await work(tx)
        if (faults.length === 0) throw new Error('a mistake in one of them')
        return done
      })
    const onFault = (_error: unknown, id: string): void => void faults.push(id)
    expect(await sent.recordLost({ ...stores.one, transaction }, onFault)).toBe(1)
    expect(faults).toEqual(['w2'])
    expect(await sent.recordLost(stores.one, onFault)).toBe(1)
    expect(await sent.recordLost(stores.one, onFault)).toBe(0)
    for (const [user, id] of [
      ['u', 'w1'],
      ['v', 'w2'],
    ] as const) {
      expect(await stores.one.ledger.balance(user, 'c1')).toMatchObject({ available: '-5', held: '5' })
      expect(await stores.one.withdrawals.find(id)).toMatchObject({ step: 'calling', driver: null })
    }
  })

  test('come back however long the database was away', async () => {
    let now = 0
    const sent = createSentWithdrawals(() => now)
    sent.add(sentRow('w1', 'u'))
    now = 20 * 60_000
    const never = (error: unknown): never => {
      throw error
    }
    expect(await sent.recordLost(stores.one, never)).toBe(1)
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ step: 'calling', driver: null })
  })

  test('come back although their Idempotency-Key was used again meanwhile', async () => {
    const sent = createSentWithdrawals(() => 0)
    sent.add(sentRow('w1', 'u'))
    await seed(stores.one, {
      withdrawals: [sampleWithdrawal({ id: 'w2', user_reference_id: 'u', idempotency_key: 'w1' })],
    })
    const never = (error: unknown): never => {
      throw error
    }
    expect(await sent.recordLost(stores.one, never)).toBe(1)
    expect(await sent.recordLost(stores.one, never)).toBe(0)
    expect(await stores.one.withdrawals.byKey('u', 'w1')).toMatchObject({ id: 'w2' })
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ step: 'calling', driver: null })
    expect(await stores.one.ledger.balance('u', 'c1')).toMatchObject({ available: '-5', held: '5' })
  })

  test('about which the merchant was asked come back as not sent, and their event says so', async () => {
    const sent = createSentWithdrawals(() => 0)
    const unsent = { step: 'authorizing', status: 'pending_authorization', funds: 'none', postings: 0 } as const
    for (const id of ['w1', 'w2'])
      sent.add(sampleWithdrawal({ id, user_reference_id: 'u', idempotency_key: id, driver: 'one', ...unsent }))
    // It was approved and sent since.
    sent.add(sentRow('w2', 'u'))
    // Of these the merchant decides later, and perhaps another instance sends them.
    sent.add(sampleWithdrawal({ id: 'w3', user_reference_id: 'u', idempotency_key: 'w3', driver: 'one', ...unsent }))
    for (const id of ['w2', 'w3']) sent.handOver(id)
    const never = (error: unknown): never => {
      throw error
    }
    expect([await sent.recordLost(stores.one, never), await sent.recordLost(stores.one, never)]).toEqual([2, 0])
    const failed = { status: 'failed', failure_reason: 'not_sent', step: 'ended', called_ms: null, funds: 'none' }
    expect(await stores.one.withdrawals.find('w1')).toMatchObject(failed)
    expect(await stores.one.withdrawals.find('w2')).toMatchObject({ step: 'calling', driver: null })
    const events = await stores.one.events.feedAfter(0, 9)
    expect(events.map(({ data }) => JSON.parse(data) as object)).toMatchObject([
      { withdrawal_id: 'w1', user_reference_id: 'u', status: 'failed' },
    ])
  })

  test('do not come back of a user who was erased since, whose withdrawals have another name', async () => {
    const sent = createSentWithdrawals(() => 0)
    const paid = { status: 'succeeded', funds: 'paid' } as const
    const declined = { status: 'failed', failure: 'declined', funds: 'none', postings: 0, called_ms: null } as const
    const asked = { step: 'authorizing', status: 'pending_authorization', funds: 'none', postings: 0 } as const
    await stores.one.users.ensure('u', 0)
    for (const [id, ended] of [
      ['w1', paid],
      ['w2', declined],
    ] as const)
      await seed(stores.one, {
        withdrawals: [sampleWithdrawal({ id, user_reference_id: 'u', idempotency_key: id, ...ended })],
      })
    sent.add(sentRow('w1', 'u'))
    sent.add(sampleWithdrawal({ id: 'w2', user_reference_id: 'u', idempotency_key: 'w2', driver: 'one', ...asked }))
    expect(await eraseUser(stores.one, 'u', 'erased_1', Date.now)).toMatchObject({ outcome: 'erased' })
    const never = (error: unknown): never => {
      throw error
    }
    expect(await sent.recordLost(stores.one, never)).toBe(0)
    expect(await stores.one.users.find('u')).toBeNull()
    for (const id of ['w1', 'w2'])
      expect(await stores.one.withdrawals.page(ALL, NEWEST, 9)).toContainEqual(
        expect.objectContaining({ id, user_reference_id: 'erased_1' }),
      )
    expect(await stores.one.withdrawals.page(ALL, NEWEST, 9)).toHaveLength(2)
    expect(await stores.one.events.feedAfter(0, 9)).toEqual([])
  })
})
