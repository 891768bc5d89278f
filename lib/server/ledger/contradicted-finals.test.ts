/** What takes back a final state, on both databases: the state stays, nothing is booked, and a person is told once. */
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleCurrency, sampleFact, sampleOnramp, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { Fact, ListedRecord } from './facts.ts'

const NOW = Date.UTC(2026, 10, 20)
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const MODES = ['embedded', 'merchant'] as const

describe.each(FLAVOURS)('contradictions on %s', (flavour) => {
  const stores = useStores(flavour, { clock: () => NOW })
  beforeEach(() => stores.one.users.ensure('u', NOW))

  /** Each record differs from the one before it, so that its fact is applied again. */
  let reads = 0
  const list = (more: Partial<Fact>, ledgerMode: (typeof MODES)[number] = 'embedded') => {
    const fact = sampleFact({ source: 'reconciliation', amount: decimal('7'), ...more })
    reads += 1
    const listed: ListedRecord = {
      transaction_uuid: fact.transaction_uuid,
      user_reference_id: 'u',
      type: fact.kind,
      status: fact.status,
      inserted_at: new Date(NOW).toISOString(),
      cursor: String(reads),
      record: JSON.stringify({ reads, status: fact.status }),
      currency: sampleCurrency,
      fact,
    }
    return stores.one.applyRecords('u', [listed], { ledgerMode, ledgerStartMs: 0 })
  }

  const webhook = (more: Partial<Fact>, ledgerMode: (typeof MODES)[number] = 'embedded') =>
    applyOneFact(stores.one, sampleFact({ amount: decimal('7'), ...more }), {
      ledgerMode,
      evidence: `{"webhook":"${more.status ?? ''}"}`,
    })

  const reported = async () => {
    const all = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 })
    return all.map(({ reason, transaction_uuid }) => `${reason} ${transaction_uuid ?? ''}`)
  }
  const onlyEvent = async () => {
    const [line] = await stores.one.quarantine.list({ reason: 'contradiction', settled: false, after: 0, limit: 99 })
    return JSON.parse(line?.event ?? 'null') as unknown
  }
  const dismissAll = async () => {
    for (const { id } of await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 }))
      await stores.one.quarantine.settle(id, { by: 'merchant', now: NOW })
  }
  const balance = async () => {
    const { available, held } = await stores.one.ledger.balance('u', 'c1')
    return [available, held]
  }

  /** Once over repeated messages, and not again after the dismissal. */
  async function isReportedOnce(line: string, again: () => Promise<unknown>): Promise<void> {
    const before = await balance()
    for (let at = 0; at < 2; at += 1) await again()
    expect(await reported()).toEqual([line])
    await dismissAll()
    for (let at = 0; at < 2; at += 1) await again()
    expect([await reported(), await balance()]).toEqual([[], before])
    expect((await stores.one.snapshot(checkLedger)).faults).toEqual([])
  }

  describe('a deposit that succeeded, then failed', () => {
    const failed = { transaction_uuid: 'd', status: 'failed' } as const
    const succeeded = { transaction_uuid: 'd', status: 'succeeded' } as const

    test.each([
      ['by a webhook, then in the list', () => webhook(succeeded)],
      ['in the list, then in the list', () => list(succeeded)],
    ])('%s', async (_name, succeed) => {
      await succeed()
      await list(failed)
      expect(await reported()).toEqual(['contradiction d'])
      expect(await onlyEvent()).toMatchObject({ stands: { status: 'succeeded' }, message: { status: 'failed' } })
      expect(await balance()).toEqual(['7', '0'])
      expect(await stores.one.transactions.find('deposit', 'd')).toMatchObject({ status: 'succeeded', credited: '7' })
      await isReportedOnce('contradiction d', () => list(failed))
    })

    test('a failure before the success contradicts nothing: the success is credited', async () => {
      await list(failed)
      await list(succeeded)
      expect([await balance(), await reported()]).toEqual([['7', '0'], []])
    })
  })

  describe('a payout that succeeded, then failed', () => {
    const failed = { kind: 'payout', transaction_uuid: 'p', status: 'failed', to_address: ADDRESS } as const
    const succeeded = { ...failed, status: 'succeeded' } as const

    beforeEach(async () => {
      const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('7') }
      await seed(stores.one, {
        bookings: [
          { booking: 'adjustment', posting_key: 'funds', ...owner },
          { booking: 'hold', posting_key: 'hold:w1', ...owner },
        ],
        withdrawals: [
          sampleWithdrawal({ amount: owner.amount, wallet_address: ADDRESS, called_ms: NOW, call_ended_ms: NOW }),
        ],
      })
    })

    test.each([
      ['by a webhook, then in the list', () => webhook(succeeded)],
      ['in the list, then in the list', () => list(succeeded)],
    ])('%s', async (_name, succeed) => {
      await succeed()
      await list(failed)
      expect(await reported()).toEqual(['contradiction p'])
      expect(await balance()).toEqual(['0', '0'])
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', funds: 'paid' })
      await isReportedOnce('contradiction p', () => list(failed))
    })

    test('a success after the failure is followed, and reported as late', async () => {
      await list(failed)
      expect(await balance()).toEqual(['7', '0'])
      await webhook(succeeded)
      expect([await balance(), await reported()]).toEqual([['0', '0'], ['late_payout p']])
    })
  })

  describe('a purchase whose deposit failed', () => {
    const bought = {
      kind: 'onramp',
      transaction_uuid: 'o',
      status: 'succeeded',
      tx_hash: '0xab',
      session_reference: 'o1',
    } as const
    const failed = { transaction_uuid: 'd', status: 'failed', tx_hash: 'AB', network: 'Ethereum' } as const
    const network = 'Ethereum'
    const line = 'contradiction o'
    beforeEach(() => stores.one.onramps.insert(sampleOnramp({ network, correlation_key: null, link: null })))

    test.each(MODES)('is reported, and stays credited: %s keeps the books', async (mode) => {
      await webhook({ ...bought, network }, mode)
      await list(failed, mode)
      expect(await onlyEvent()).toMatchObject({
        stands: { kind: 'onramp', transaction_uuid: 'o' },
        message: { status: 'failed' },
      })
      expect(await balance()).toEqual([mode === 'embedded' ? '7' : '0', '0'])
      await isReportedOnce(line, () => list(failed, mode))
    })

    test.each(MODES)('the failure first: %s keeps the books', async (mode) => {
      await list(failed, mode)
      expect(await reported()).toEqual([])
      await webhook({ ...bought, network }, mode)
      expect(await onlyEvent()).toMatchObject({
        stands: { kind: 'deposit', transaction_uuid: 'd' },
        message: { webhook: 'succeeded' },
      })
      expect(await balance()).toEqual([mode === 'embedded' ? '7' : '0', '0'])
      await isReportedOnce(line, async () => {
        await webhook({ ...bought, network }, mode)
        await list(failed, mode)
      })
    })

    test('a purchase that another deposit brought is not concerned', async () => {
      await webhook({ ...bought, network })
      await list({ ...failed, transaction_uuid: 'e', status: 'succeeded' })
      await list(failed)
      expect([await balance(), await reported()]).toEqual([['7', '0'], []])
    })
  })
})
