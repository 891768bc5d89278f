import { beforeEach, describe, expect, test } from 'vitest'
import { withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { decimal } from '#lib/contract/money.ts'
import { isProblem } from '#lib/contract/problems.ts'
import type { CurrencyCache } from '../cashier/currency-cache.ts'
import { createRequestWithdrawal } from '../cashier/request-withdrawal.ts'
import { createWithdrawalSteps, type AuthorizationDecision } from '../cashier/withdrawal-steps.ts'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import type { Gateway } from '../gateway/types.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import type { Fact } from '../ledger/facts.ts'
import { setOwner } from '../ledger/payouts/payout-owners.ts'
import { createAdjustBalance } from '../merchant/adjust-balance.ts'
import { createListMerchantEvents } from '../merchant/events-feed.ts'
import { createFeedCursors } from '../merchant/feed-cursor.ts'
import type { CashierSession } from '../store/types.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import { sampleCurrency, sampleFact, sampleOnramp, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { tellDeposit } from '../store/testing/tell-deposit.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createCheckTotals } from '../reconcile/check-totals.ts'
import { createCompareUser } from '../reconcile/compare-user.ts'
import { createReadWhole } from '../reconcile/read-whole.ts'
import { createSweep } from '../reconcile/sweep.ts'
import { createFindOverdue } from '../reconcile/find-overdue.ts'
import type { Edge, ReadLists } from '../reconcile/scan-user-list.ts'
import { depositEdge, NO_MERCHANT_LIST, pagedGateway } from '../reconcile/testing/user-list.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 1000 * DAY
const CURRENCY = { ...sampleCurrency, id: '3f1c2c6e-8a5f-4a51-9a0b-4f3f3a3a7a11', network: 'Other' }
const SUCCEEDED = 'TXN_PROVIDER_SUCCEEDED'

let now = NOW
beforeEach(() => {
  now = NOW
})

/** A record of `user_1` in the list. */
function edge(type: string, transaction_uuid: string, amount: string, user_ref_id = 'user_1'): Edge {
  const one = depositEdge(transaction_uuid, NOW - HOUR, SUCCEEDED)
  const { id, currency_code: code, network } = CURRENCY
  const currency = { ...one.node.currency, id, code, network }
  const to_address = type === 'Payout' ? 'TElsewhere' : 'TOwn'
  return { ...one, node: { ...one.node, type, amount: decimal(amount), currency, to_address, user_ref_id } }
}

const deposit = edge('Deposit', 'd1', '100')
const payout = edge('Payout', 'p1', '80')

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now })
  beforeEach(() => stores.one.transaction((tx) => tx.currencies.replaceListed([CURRENCY], tx.now)))

  /** What the reconciliation of an instance does with this list, if the user is due. */
  async function compare(
    list: readonly Edge[],
    ledgerMode: LedgerMode = 'embedded',
    lists: ReadLists = pagedGateway(list),
  ): Promise<void> {
    const { one: store } = stores
    const rules = { store, ledgerMode, ledgerStartMs: 0, clock: () => now }
    const checkTotals = createCheckTotals({ ...rules, statuses: STATUSES, overdueMs: DAY })
    const gateway = { ...lists, clockOffsetMs: () => 0, statuses: STATUSES }
    const compareUser = createCompareUser({ ...rules, gateway, checkTotals })
    for (const priority of ['open', 'quarantined', 'sweep'] as const)
      for (const claimed of await store.reconcileQueue.claimDue(priority, 9, 30_000)) await compareUser(claimed)
  }

  /** A user's request for a withdrawal; the answer's outcome or the problem's code. */
  function requester(ledgerMode: LedgerMode = 'embedded') {
    const { one: store } = stores
    const reply = {
      amount: '20',
      currency: 'USDT',
      requires_approval: false,
      status: 'Processing',
      wallet_address: 'T',
    }
    const gateway = {
      ...{ clockOffsetMs: () => 0, statuses: STATUSES },
      withdraw: () => Promise.resolve({ ...reply, transaction_uuid: null }),
    } as unknown as Gateway
    const askMerchant = (): Promise<AuthorizationDecision> =>
      Promise.resolve({ decision: 'approve', user_message: null })
    const shared = { store, instance: 'one' }
    const driver = createWithdrawalSteps({
      ...shared,
      gateway,
      askMerchant,
      uptimeMs: () => 0,
      onFault: () => undefined,
    })
    const currencies = { forSession: () => Promise.resolve(CURRENCY) } as unknown as CurrencyCache
    const rest = { mostAMinute: Infinity, waitMs: 0, newId: () => crypto.randomUUID(), sleep: () => Promise.resolve() }
    const request = createRequestWithdrawal({ ...shared, ...rest, currencies, driver, ledgerMode })
    return async (amount = '20', user = 'user_1'): Promise<string> => {
      const input = withdrawalRequest.parse({ currency_id: CURRENCY.id, amount, wallet_address: `T${amount}` })
      try {
        return (await request({ user_reference_id: user } as CashierSession, input, crypto.randomUUID())).outcome
      } catch (error) {
        if (isProblem(error)) return error.code
        throw error
      }
    }
  }

  const lines = async (settled = false) =>
    (await stores.one.quarantine.list({ reason: 'totals_differ', settled, after: 0, limit: 9 })).map((row) => {
      const { gateway, ledger, difference } = JSON.parse(row.event) as Record<string, string>
      return { id: row.id, text: `${String(gateway)} ${String(ledger)} ${String(difference)}`, by: row.settled_by }
    })
  const texts = async (settled = false) => (await lines(settled)).map(({ text, by }) => `${text} ${String(by)}`)
  const dismissLine = async (): Promise<void> => {
    const [line] = await lines()
    await stores.one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now, note: 'known' })
  }
  const available = async () => (await stores.one.ledger.balance('user_1', CURRENCY.id)).available
  const later = async (ms: number): Promise<void> => {
    now += ms
    await stores.one.users.scheduleReconciliation('user_1', now)
  }
  const restored = () => stores.one.transaction((tx) => tx.reconciliation.noteRestored())

  const acknowledge = (uuid: string): Promise<void> =>
    stores.one.transaction(async (tx) => {
      const unit = await tx.load({ users: ['user_1'], attemptsOf: ['user_1'] })
      const open = unit.payout(uuid)
      if (open === null) throw new Error('there is no such payout')
      setOwner(unit, open, 'acknowledged', { note: 'paid before the backup was restored' })
      await tx.save(unit)
    })

  const adjust = (amount: string) =>
    createAdjustBalance(stores.one, 'embedded', () => Promise.resolve())('user_1', {
      currency_id: CURRENCY.id,
      amount: decimal(amount),
      reference: `restored ${amount}`,
    })

  /** 100 were deposited and booked. */
  async function begin(ledgerMode: LedgerMode = 'embedded'): Promise<void> {
    await stores.one.users.ensure('user_1', now)
    await compare([deposit], ledgerMode)
    now += HOUR
  }

  describe('after a restore from before a withdrawal of 80', () => {
    beforeEach(async () => {
      await begin()
      await restored()
      now += 1000
    })

    test('nothing can be withdrawn until its payout was found and settled, then what is left', async () => {
      const request = requester()
      expect([await available(), await request()]).toEqual(['100', 'outcome_unknown'])
      await compare([payout, deposit])
      expect(await texts()).toEqual(['20 100 -80 null'])
      const reports = { reason: 'unmatched_payout', settled: false, after: 0, limit: 9 } as const
      expect(await stores.one.quarantine.list(reports)).toMatchObject([{ transaction_uuid: 'p1' }])
      expect(await request()).toBe('outcome_unknown')

      await acknowledge('p1')
      await adjust('-80')
      expect([await available(), await request()]).toEqual(['20', 'outcome_unknown'])
      await later(10_000)
      await compare([payout, deposit])
      // To acknowledge the payout has booked nothing: a person says that the difference is settled.
      expect([await texts(), await request()]).toEqual([['20 100 -80 null'], 'outcome_unknown'])
      await dismissLine()
      expect(await request('21')).toBe('insufficient_balance')
      expect([await request('20'), await available()]).toEqual(['recorded', '0'])
    })

    test('a refusal of a debit says that deposits since the backup may be missing, until the list was compared', async () => {
      const refusal = { code: 'insufficient_balance', detail: expect.stringContaining('repeat') as string }
      await expect(adjust('-101')).rejects.toMatchObject(refusal)
      expect(await adjust('-90')).toMatchObject({ adjustment: { available: '10' } })
      await compare([deposit])
      await expect(adjust('-101')).rejects.toMatchObject({ ...refusal, detail: 'Available: 10.' })
    })

    test('a person may dismiss the difference', async () => {
      const request = requester()
      await compare([payout, deposit])
      await acknowledge('p1')
      await dismissLine()
      expect(await request()).toBe('recorded')
      // From then on it is a payout like any that a person knows.
      await later(DAY)
      await compare([payout, deposit])
      expect([await texts(), await request('11')]).toEqual([[], 'recorded'])
    })

    test('a person may dismiss the difference first, then acknowledge its payout', async () => {
      const request = requester()
      await compare([payout, deposit])
      await dismissLine()
      expect(await request()).toBe('outcome_unknown')
      await acknowledge('p1')
      expect(await request()).toBe('recorded')
    })

    test('of a payout that was acknowledged before the comparison had it, a person is still told', async () => {
      const request = requester()
      await compare([deposit])
      const event = sampleFact({
        kind: 'payout',
        ...{ user_reference_id: 'user_1', transaction_uuid: 'p1', amount: decimal('80'), status: 'succeeded' },
        ...{ currency_id: CURRENCY.id, currency_code: CURRENCY.currency_code, network: CURRENCY.network },
      })
      await applyOneFact(stores.one, event)
      expect(await request()).toBe('outcome_unknown')
      await acknowledge('p1')
      expect([await texts(), await request()]).toEqual([[], 'outcome_unknown'])
      now += 10_000
      await compare([payout, deposit])
      expect([await texts(), await request()]).toEqual([['20 100 -80 null'], 'outcome_unknown'])
      await dismissLine()
      expect(await request()).toBe('recorded')
    })

    test('a refused request makes the user due at once, before others', async () => {
      const { reconcileQueue } = stores.one
      expect(await reconcileQueue.claimDue('open', 9, 1000)).toEqual([])
      expect(await requester()()).toBe('outcome_unknown')
      const due = { user_reference_id: 'user_1', waits_for_whole: 1 }
      expect(await reconcileQueue.claimDue('open', 9, 1000)).toMatchObject([due])
    })

    test('without a difference, withdrawals are allowed from the first whole read on, for ever', async () => {
      const request = requester()
      await compare([deposit])
      expect(await request('10')).toBe('recorded')
      // A payout that is found later is a person's, and stops nothing.
      await later(DAY)
      await compare([payout, deposit])
      expect([await texts(), await request('11')]).toEqual([['20 100 -80 null'], 'recorded'])
      await restored()
      now += 1000
      expect(await request('12')).toBe('outcome_unknown')
    })

    const uncountable = pagedGateway([deposit], { spoil: (page) => ({ ...page, total_count: 2 }) })
    const failing: ReadLists = { listUserTransactions: () => Promise.reject(new Error('no list')) }
    test.each([
      ['never has as many records as it counts', uncountable],
      ['cannot be read at all', failing],
    ])('a list that %s is reported, and a person may allow withdrawals', async (_name, lists) => {
      const request = requester()
      const about = { reason: 'overdue', settled: false, after: 0, limit: 9 } as const
      const read = () =>
        compare([], 'embedded', lists).catch(() =>
          stores.one.users.reconciliationFailed('user_1', { inMs: 300_000, priority: 'sweep' }),
        )
      for (let hours = 0; hours < 25; hours += 1) {
        await read()
        expect(await request('10')).toBe('outcome_unknown')
        if (hours < 23) expect(await stores.one.quarantine.list(about)).toEqual([])
        now += HOUR
        await createFindOverdue({ store: stores.one, clock: () => now, overdueMs: DAY, onFault: () => undefined })(
          () => hours >= 23,
        )
      }
      const [line] = await stores.one.quarantine.list(about)
      expect(line).toMatchObject({ transaction_uuid: 'list user_1' })
      await stores.one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now })
      expect(await request('10')).toBe('recorded')
      now += 1000
      await restored()
      now += 1000
      expect(await request('11')).toBe('outcome_unknown')
    })

    test('a line about the list that was dismissed before, by a clock that is ahead, allows nothing', async () => {
      const event = { user_reference_id: 'user_1', transaction_uuid: 'list user_1', event_name: null, event: '{}' }
      await seed(stores.one, { quarantine: [{ ...event, reason: 'overdue' }] })
      const [line] = await stores.one.quarantine.list({ reason: 'overdue', settled: false, after: 0, limit: 9 })
      await stores.one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now: now + 2 * HOUR })
      now += 1000
      await restored()
      now += 1000
      expect(await requester()('10')).toBe('outcome_unknown')
    })

    test('of a list that is never read completely a person settles the rest, and is told what no booking has', async () => {
      const request = requester()
      const partly = pagedGateway([payout, deposit], { spoil: (page) => ({ ...page, total_count: 3 }) })
      for (let days = 0; days < 2; days += 1) {
        await compare([], 'embedded', partly)
        await later(DAY)
      }
      await createFindOverdue({ store: stores.one, clock: () => now, overdueMs: DAY, onFault: () => undefined })(
        () => true,
      )
      const about = { reason: 'overdue', settled: false, after: 0, limit: 9 } as const
      const [line] = await stores.one.quarantine.list(about)
      expect(line).toMatchObject({ transaction_uuid: 'list user_1' })
      await stores.one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now })
      expect(await request()).toBe('outcome_unknown')
      await adjust('-80')
      await acknowledge('p1')
      // To acknowledge the payout has booked nothing.
      expect([await request(), await texts()]).toEqual(['outcome_unknown', ['20 100 -80 null']])
      await dismissLine()
      expect([await request('21'), await request('20')]).toEqual(['insufficient_balance', 'recorded'])
    })

    test('a list that was read while the database lost commits proves nothing, and is read again at once', async () => {
      const request = requester()
      const { listUserTransactions } = pagedGateway([deposit])
      const losing: ReadLists = {
        async listUserTransactions(user, query) {
          now += 1000
          await restored()
          return listUserTransactions(user, query)
        },
      }
      await compare([], 'embedded', losing)
      expect(await request()).toBe('outcome_unknown')
      now += 1000
      await compare([deposit])
      expect(await request()).toBe('recorded')
    })

    test('a new user waits for the first whole read too', async () => {
      await stores.one.users.ensure('user_2', now)
      const request = requester('merchant')
      expect(await request('5', 'user_2')).toBe('outcome_unknown')
      await compare([], 'merchant')
      expect(await request('5', 'user_2')).toBe('recorded')
    })
  })

  test('after a restore, what an event booked in the minute before it is compared, too', async () => {
    await begin()
    const { id: currency_id, currency_code, network } = CURRENCY
    const unlisted = { transaction_uuid: 'd2', amount: decimal('50'), status: 'succeeded', source: 'webhook' } as const
    await applyOneFact(
      stores.one,
      sampleFact({ ...unlisted, user_reference_id: 'user_1', ...{ currency_id, currency_code, network } }),
    )
    now += 1000
    await restored()
    now += 1000
    await compare([deposit])
    const request = requester()
    expect([await texts(), await request('10')]).toEqual([['100 150 -50 null'], 'outcome_unknown'])
    await dismissLine()
    expect(await request('10')).toBe('recorded')
  })

  test('a cursor that is ahead of the feed shows a restore of which nobody told: nothing can be withdrawn either', async () => {
    await begin()
    const { one: store } = stores
    const read = (after: string | null) =>
      createListMerchantEvents(store, createFeedCursors(store))({ after, limit: 9 })
    await read(null)
    const { head } = await store.feedEpoch.position()
    await store.unitOfWork({ users: ['user_1'] }, (unit) => tellDeposit(unit, 'd2', 'processing', 'user_1'))
    const { next_cursor } = await read(null)
    const { db } = store.database
    await db.deleteFrom('merchant_events').where('cursor', '>', head).execute()
    await db.updateTable('counters').set({ value: head }).where('name', '=', 'merchant_events').execute()

    await expect(read(next_cursor)).rejects.toMatchObject({ code: 'cursor_lost' })
    const request = requester()
    expect([await available(), await request()]).toEqual(['100', 'outcome_unknown'])
    await compare([payout, deposit])
    expect([await texts(), await request()]).toEqual([['20 100 -80 null'], 'outcome_unknown'])
  })

  describe('after commits were lost, among them a withdrawal of 80', () => {
    const pass = async (ms: number): Promise<void> => {
      now += ms
      const { one: store } = stores
      const rules = { store, clock: () => now, gateway: NO_MERCHANT_LIST, clockOffsetMs: () => 0, callsPerSecond: 1 }
      await createSweep({ ...rules, statuses: STATUSES, ledgerStartMs: 0, absenceMs: HOUR })(() => true)
      now += 1000
    }
    const lost = () =>
      stores.one.transaction(async (tx) => {
        await tx.reconciliation.noteRestored()
        await tx.reconciliation.noteLost()
      })
    beforeEach(async () => {
      await begin()
      await lost()
    })

    test('a list that does not show its payout yet allows nothing, and later its payout is settled first', async () => {
      const request = requester()
      for (const ms of [0, HOUR - 2001]) {
        await pass(ms)
        await compare([deposit])
        expect([await texts(), await request()]).toEqual([[], 'outcome_unknown'])
      }
      await pass(1001)
      expect(await request()).toBe('outcome_unknown')
      await compare([payout, deposit])
      expect([await texts(), await request()]).toEqual([['20 100 -80 null'], 'outcome_unknown'])
      await acknowledge('p1')
      await adjust('-80')
      await dismissLine()
      expect([await request('21'), await request('20')]).toEqual(['insufficient_balance', 'recorded'])
    })

    test('a list that was read since then allows withdrawals, until commits are lost again', async () => {
      const request = requester()
      await pass(HOUR)
      expect(await request('10')).toBe('outcome_unknown')
      await compare([deposit])
      expect(await request('10')).toBe('recorded')
      await pass(HOUR)
      expect(await request('11')).toBe('recorded')
      await lost()
      await pass(1000)
      await compare([deposit])
      expect(await request('12')).toBe('outcome_unknown')
    })

    test('a clock that was ahead at that time closes withdrawals no longer than a right one', async () => {
      now += 400 * DAY
      await lost()
      now -= 400 * DAY
      await pass(0)
      await pass(HOUR)
      await compare([deposit])
      expect(await requester()('10')).toBe('recorded')
    })

    test('a read that began before that time allows nothing', async () => {
      const { listUserTransactions } = pagedGateway([deposit])
      const slow: ReadLists = {
        async listUserTransactions(user, query) {
          await pass(HOUR)
          return listUserTransactions(user, query)
        },
      }
      now += 1000
      await compare([], 'embedded', slow)
      expect(await requester()()).toBe('outcome_unknown')
    })
  })

  test('where the merchant keeps the books, withdrawals wait for a whole read and open payouts', async () => {
    const request = requester('merchant')
    await begin('merchant')
    expect(await request('1')).toBe('recorded')
    await restored()
    now += 1000
    expect(await request('2')).toBe('outcome_unknown')
    await compare([payout, deposit], 'merchant')
    expect([await texts(), await request('2')]).toEqual([[], 'outcome_unknown'])
    await acknowledge('p1')
    expect(await request('2')).toBe('recorded')
  })

  test('all are due at once after a restore, the user who was seen last first', async () => {
    for (const [index, user] of ['a', 'b', 'c'].entries()) {
      await stores.one.users.ensure(user, now)
      await stores.one.users.markSeen(user, now - ((index + 1) % 3) * DAY)
    }
    await compare([])
    await restored()
    now += 10
    const order: string[] = []
    for (let left = 3; left > 0; left -= 1)
      order.push(...(await stores.one.reconcileQueue.claimDue('sweep', 1, 1000)).map((one) => one.user_reference_id))
    expect(order).toEqual(['c', 'a', 'b'])
  })

  test('a difference is told once, a dismissed one does not come back, a changed one does', async () => {
    await begin()
    const differs = [payout, deposit]
    for (const list of [differs, differs]) {
      await later(DAY)
      await compare(list)
    }
    expect(await texts()).toEqual(['20 100 -80 null'])
    const [line] = await lines()
    await stores.one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now, note: null })
    await later(DAY)
    await compare(differs)
    expect(await texts()).toEqual([])
    await later(DAY)
    await compare([edge('Payout', 'p2', '5'), ...differs])
    expect(await texts()).toEqual(['15 100 -85 null'])
    await later(DAY)
    await acknowledge('p1')
    await compare([edge('Payout', 'p2', '5'), ...differs])
    expect([await texts(), await texts(true)]).toEqual([
      ['95 100 -5 null'],
      ['20 100 -80 merchant', '15 100 -85 system'],
    ])
  })

  describe('a dismissed difference that goes is told, since a person may have corrected a balance by it,', () => {
    const other = edge('Deposit', 'd2', '7')
    const again = ({ node, ...one }: Edge): Edge => ({ ...one, node: { ...node, status: 'TXN_NEW' } })
    /** The transactions of each open line; those whose difference has gone with a minus. */
    const told = async (): Promise<string[]> => {
      const open = await stores.one.quarantine.list({ reason: 'totals_differ', settled: false, after: 0, limit: 9 })
      return open
        .map(({ event }) => {
          const { transactions, gone = [] } = JSON.parse(event) as Record<string, { transaction_uuid: string }[]>
          return [
            ...(transactions ?? []).map((one) => one.transaction_uuid),
            ...gone.map((one) => `-${one.transaction_uuid}`),
          ]
            .toSorted()
            .join(' ')
        })
        .toSorted()
    }
    const compareLater = async (...list: readonly Edge[]): Promise<string[]> => {
      await later(DAY)
      await compare(list)
      return told()
    }
    beforeEach(async () => {
      await begin()
      await compareLater(deposit, other)
    })

    test('if it goes alone', async () => {
      expect(await compareLater(again(deposit), again(other))).toEqual(['d1 d2'])
      await dismissLine()
      expect(await compareLater(again(deposit), again(other))).toEqual([])
      expect(await compareLater(deposit, again(other))).toEqual(['-d1', 'd2'])
      expect(await compareLater(deposit, again(other))).toEqual(['-d1', 'd2'])
      expect(await compareLater(deposit, other)).toEqual(['-d1', '-d2'])
      expect(await compareLater(deposit, other)).toEqual(['-d1', '-d2'])
    })

    test('even if another difference comes before anybody has read it', async () => {
      expect(await compareLater(again(deposit), other)).toEqual(['d1'])
      await dismissLine()
      expect(await compareLater(deposit, other)).toEqual(['-d1'])
      expect(await compareLater(deposit, again(other))).toEqual(['-d1', 'd2'])
      expect(await compareLater(deposit, other)).toEqual(['-d1'])
    })

    test('with another one that nobody has read: of that one nobody is told', async () => {
      expect(await compareLater(again(deposit), other)).toEqual(['d1'])
      await dismissLine()
      expect(await compareLater(again(deposit), again(other))).toEqual(['d1 d2'])
      expect(await compareLater(deposit, other)).toEqual(['-d1'])
    })

    test.each([
      { by: 'each of them', amounts: ['-100', '-7'] },
      { by: 'the difference that the line tells', amounts: ['-107'] },
    ])('or is corrected by $by, while its line is open', async ({ amounts }) => {
      expect(await compareLater(again(deposit), again(other))).toEqual(['d1 d2'])
      for (const amount of amounts) await adjust(amount)
      expect(await compareLater(deposit, again(other))).toEqual(['-d1', 'd2'])
      expect(await compareLater(deposit, other)).toEqual(['-d1', '-d2'])
    })

    test('but not a payout that a person has acknowledged: nobody corrects a balance by it', async () => {
      expect(await compareLater(again(deposit), other, payout)).toEqual(['d1 p1'])
      await dismissLine()
      await acknowledge('p1')
      expect(await compareLater(again(deposit), other, payout)).toEqual(['d1'])
      expect(await compareLater(deposit, other, payout)).toEqual(['-d1'])
    })
  })

  test('a difference that was adjusted hides no later one of the opposite amount', async () => {
    await begin()
    await later(DAY)
    await compare([])
    await adjust('-100')
    await later(DAY)
    await compare([])
    expect(await texts()).toEqual(['0 100 -100 null'])
    // The list and the webhook disagree about its amount, so nothing is booked.
    await applyOneFact(
      stores.one,
      sampleFact({
        ...{ transaction_uuid: 'd2', status: 'succeeded', user_reference_id: 'user_1', amount: decimal('60') },
        ...{ currency_id: CURRENCY.id, network: CURRENCY.network, unconfirmed: true },
      }),
    )
    await later(DAY)
    await compare([edge('Deposit', 'd2', '100')])
    expect([await available(), await texts(), await texts(true)]).toEqual([
      '0',
      ['100 100 0 null'],
      ['0 100 -100 system'],
    ])
    const [line] = await stores.one.quarantine.list({ reason: 'totals_differ', settled: false, after: 0, limit: 9 })
    expect(JSON.parse(line?.event ?? '')).toMatchObject({
      transactions: [{ transaction_uuid: 'd2' }, { transaction_uuid: 'd1' }],
    })
  })

  describe('a success that only a webhook of this merchant told', () => {
    const tell = (ledgerMode: LedgerMode, more: Partial<Fact> = {}) =>
      applyOneFact(
        stores.one,
        sampleFact({
          ...{ transaction_uuid: 'd1', status: 'succeeded', user_reference_id: 'user_1', amount: decimal('100') },
          ...{ currency_id: CURRENCY.id, network: CURRENCY.network },
          ...more,
        }),
        { ledgerMode },
      )
    /** A withdrawal of a merchant who keeps the books, and the success of its payout `p1`. */
    const tellPayout = async (amount = '80'): Promise<void> => {
      const own = { user_reference_id: 'user_1', currency_id: CURRENCY.id, network: CURRENCY.network }
      const call = { funds: 'none', called_ms: now, call_ended_ms: now, reply_transaction_uuid: 'p1' } as const
      const withdrawal = sampleWithdrawal({ ...own, ...call, amount: decimal('80'), transaction_uuid: 'p1' })
      if ((await stores.one.withdrawals.find('w1')) === null) await seed(stores.one, { withdrawals: [withdrawal] })
      const paid = { kind: 'payout', transaction_uuid: 'p1', status: 'succeeded', inexact: true } as const
      const fact = sampleFact({ ...own, ...paid, amount: decimal(amount) })
      await applyOneFact(stores.one, fact, { ledgerMode: 'merchant' })
    }
    const OPEN = { reason: 'overdue', settled: false, after: 0, limit: 9 } as const
    const overdue = async () =>
      (await stores.one.quarantine.list(OPEN)).map((line) => ({
        uuid: line.transaction_uuid,
        event: JSON.parse(line.event) as unknown,
      }))

    test('is overdue where the merchant keeps the books, once, until the list shows it', async () => {
      await stores.one.users.ensure('user_1', now)
      await tell('merchant')
      for (const ms of [0, HOUR, DAY - HOUR - 1]) {
        await later(ms)
        await compare([], 'merchant')
        expect(await overdue()).toEqual([])
      }
      await later(DAY)
      const since = new Date(NOW).toISOString()
      const line = { kind: 'deposit', withdrawal_id: null, transaction_uuid: 'd1', status: 'succeeded', since }
      for (let times = 0; times < 2; times += 1) {
        await compare([], 'merchant')
        expect(await overdue()).toEqual([{ uuid: 'd1', event: line }])
        await later(DAY)
      }
      await compare([deposit], 'merchant')
      await later(DAY)
      await compare([deposit], 'merchant')
      expect(await overdue()).toEqual([])
    })

    test('stays overdue, and does not come back once it was dismissed, whatever else the webhook tells', async () => {
      await stores.one.users.ensure('user_1', now)
      await tell('merchant')
      await later(2 * DAY)
      await compare([], 'merchant')
      const [first] = await stores.one.quarantine.list(OPEN)
      await tell('merchant', { session_reference: 'later' })
      await later(DAY)
      await compare([], 'merchant')
      expect((await stores.one.quarantine.list(OPEN)).map(({ id }) => id)).toEqual([first?.id])
      await stores.one.quarantine.settle(first?.id ?? 0, { by: 'merchant', now, note: 'known' })
      await tell('merchant', { correlation_key: 'later' })
      await later(DAY)
      await compare([], 'merchant')
      expect(await stores.one.quarantine.list(OPEN)).toEqual([])
    })

    test.each([
      ['left open', '80', []],
      ['dismissed, perhaps after a correction', '80', ['contradiction p1']],
      // The event's number had lost digits.
      ['left open', '80.000000000000012', []],
      ['dismissed, perhaps after a correction', '80.000000000000012', ['contradiction p1']],
    ])('so is a payout of a withdrawal; after its line was %s it is listed with %s', async (was, amount, told) => {
      await begin('merchant')
      await tellPayout(amount === '80' ? amount : '80.00000000000001')
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded' })
      await later(DAY)
      await compare([deposit], 'merchant')
      expect(await overdue()).toMatchObject([{ uuid: 'p1', event: { withdrawal_id: 'w1', status: 'succeeded' } }])
      for (const { id } of await stores.one.quarantine.list(OPEN))
        if (was !== 'left open') await stores.one.quarantine.settle(id, { by: 'merchant', now })
      for (let days = 0; days < 2; days += 1) {
        await later(DAY)
        await compare([edge('Payout', 'p1', amount), deposit], 'merchant')
        const open = await stores.one.quarantine.list({ ...OPEN, reason: null })
        expect(open.map(({ reason, transaction_uuid: uuid }) => `${reason} ${String(uuid)}`)).toEqual(told)
      }
    })

    test('a payout that an event tells again with more digits stays overdue, and is told when it is listed', async () => {
      await begin('merchant')
      await tellPayout('80.00000000000001')
      await later(DAY)
      await compare([deposit], 'merchant')
      await tellPayout('80.000000000000012')
      expect(await overdue()).toMatchObject([{ uuid: 'p1' }])
      for (const { id } of await stores.one.quarantine.list(OPEN))
        await stores.one.quarantine.settle(id, { by: 'merchant', now })
      await later(HOUR)
      await compare([edge('Payout', 'p1', '80.0000000000000123'), deposit], 'merchant')
      const open = await stores.one.quarantine.list({ ...OPEN, reason: null })
      expect(open.map(({ reason, transaction_uuid: uuid }) => `${reason} ${String(uuid)}`)).toEqual([
        'contradiction p1',
      ])
    })

    test('a success that the list shows as under way again is a contradiction after a day, once', async () => {
      const again = ({ node, ...one }: Edge): Edge => ({ ...one, node: { ...node, status: 'TXN_NEW' } })
      const told = async () =>
        (await stores.one.quarantine.list({ ...OPEN, reason: null })).map(({ id, reason, transaction_uuid }) => ({
          id,
          line: `${reason} ${String(transaction_uuid)}`,
        }))
      await begin('merchant')
      await later(DAY)
      await compare([again(deposit)], 'merchant')
      expect(await told()).toEqual([])
      for (let days = 0; days < 2; days += 1) {
        await later(DAY)
        await compare([again(deposit)], 'merchant')
        expect(await told()).toMatchObject([{ line: 'contradiction d1' }])
      }
      await stores.one.quarantine.settle((await told())[0]?.id ?? 0, { by: 'merchant', now, note: 'known' })
      await later(DAY)
      await compare([again(deposit)], 'merchant')
      expect(await told()).toEqual([])
      // The merchant may have taken it back since.
      for (let days = 0; days < 2; days += 1) {
        await later(DAY)
        await compare([deposit], 'merchant')
        expect(await told()).toMatchObject([{ line: 'contradiction d1' }])
      }
      await stores.one.quarantine.settle((await told())[0]?.id ?? 0, { by: 'merchant', now, note: 'credited again' })
      for (let days = 0; days < 3; days += 1) {
        await later(DAY)
        await compare([again(deposit)], 'merchant')
      }
      expect(await told()).toMatchObject([{ line: 'contradiction d1' }])
    })

    test('what the merchant booked is watched after the ledger took over the books', async () => {
      await begin('merchant')
      await tell('merchant', { transaction_uuid: 'd2' })
      await tellPayout()
      const again = ({ node, ...one }: Edge): Edge => ({ ...one, node: { ...node, status: 'TXN_NEW' } })
      const told = async () =>
        (await stores.one.quarantine.list({ ...OPEN, reason: null })).map(
          ({ reason, transaction_uuid: uuid }) => `${reason} ${String(uuid)}`,
        )
      for (let days = 0; days < 3; days += 1) {
        await later(DAY)
        await compare([again(deposit)])
      }
      expect((await told()).toSorted()).toEqual(['contradiction d1', 'overdue d2', 'overdue p1'])
    })

    test('is the merchant’s still after the ledger took over the books: no difference', async () => {
      await begin('merchant')
      await later(DAY)
      await compare([deposit])
      expect([await lines(), await available()]).toEqual([[], '0'])
    })

    test('so is a payout that the list calls a deposit', async () => {
      await begin('merchant')
      await tellPayout()
      await later(DAY)
      await compare([edge('Deposit', 'p1', '80'), deposit], 'merchant')
      expect(await overdue()).toMatchObject([{ uuid: 'p1', event: { kind: 'payout', status: 'succeeded' } }])
    })

    describe('a purchase', () => {
      const own = { user_reference_id: 'user_1', currency_id: CURRENCY.id, network: CURRENCY.network }
      const bought = {
        ...own,
        kind: 'onramp',
        transaction_uuid: 'o',
        tx_hash: '0xaa',
        session_reference: 's',
        amount: decimal('1'),
      } as const
      const brought = { ...deposit, node: { ...deposit.node, amount: decimal('1'), tx_hash: '0xAA' } }

      beforeEach(async () => {
        await stores.one.users.ensure('user_1', now)
        await stores.one.onramps.insert(sampleOnramp({ ...own, id: 's', correlation_key: null, link: null }))
        await tell('merchant', bought)
        await later(DAY)
      })

      test('is overdue where the merchant keeps the books, until its deposit comes', async () => {
        await compare([], 'merchant')
        expect(await overdue()).toMatchObject([{ uuid: 'o', event: { kind: 'onramp', status: 'succeeded' } }])
        await tell('merchant', { ...bought, correlation_key: 'told later' })
        await later(DAY)
        await compare([], 'merchant')
        expect(await overdue()).toHaveLength(1)
        await later(DAY)
        await compare([brought], 'merchant')
        expect(await overdue()).toEqual([])
        await later(DAY)
        await compare([brought], 'merchant')
        expect(await overdue()).toEqual([])
      })

      test.each([
        ['0.95', []],
        ['0.94', ['o']],
      ])('is contradicted by a deposit of over 5 percent less: of 1 came %s', async (amount, told) => {
        await compare([{ ...brought, node: { ...brought.node, amount: decimal(amount) } }], 'merchant')
        const lines = await stores.one.quarantine.list({ ...OPEN, reason: 'contradiction' })
        expect(lines.map(({ transaction_uuid }) => transaction_uuid)).toEqual(told)
        expect(await overdue()).toEqual([])
      })

      test.each([
        ['before', 'left open', []],
        ['after', 'left open', []],
        ['before', 'dismissed', ['o']],
      ])('is contradicted until the rest has come, %s it was overdue; that line was %s', async (when, was, lines) => {
        const part = { ...brought, node: { ...brought.node, amount: decimal('0.5') } }
        const rest = { ...part, node: { ...part.node, transaction_uuid: 'd2' } }
        const told = async () =>
          (await stores.one.quarantine.list({ ...OPEN, reason: 'contradiction' })).map((line) => line.transaction_uuid)
        if (when === 'after') await compare([], 'merchant')
        await compare([part], 'merchant')
        await later(DAY)
        await compare([part], 'merchant')
        expect([await told(), await overdue()]).toEqual([['o'], []])
        for (const { id } of await stores.one.quarantine.list({ ...OPEN, reason: 'contradiction' }))
          if (was === 'dismissed') await stores.one.quarantine.settle(id, { by: 'merchant', now })
        for (let at = 0; at < 2; at += 1) {
          await later(DAY)
          await compare([part, rest], 'merchant')
          expect([await told(), await overdue()]).toEqual([lines, []])
        }
      })

      test.each([
        ['its deposit comes', 'left open', ['1'], []],
        ['its deposit comes', 'dismissed', ['1'], ['o']],
        ['its deposits come in one read', 'left open', ['0.6', '0.4'], []],
        ['its deposits come in one read', 'dismissed', ['0.6', '0.4'], ['o']],
      ])('%s after its overdue line was %s', async (_what, was, amounts, told) => {
        await compare([], 'merchant')
        for (const { id } of await stores.one.quarantine.list({ ...OPEN, reason: 'overdue' }))
          if (was === 'dismissed') await stores.one.quarantine.settle(id, { by: 'merchant', now })
        for (let at = 0; at < 2; at += 1) {
          await later(DAY)
          const parts = amounts.map((amount, index) => {
            const more = { transaction_uuid: `d${String(index)}`, amount: decimal(amount) }
            return { ...brought, node: { ...brought.node, ...more, amount_usd: decimal(String(at)) } }
          })
          await compare(parts, 'merchant')
          const lines = await stores.one.quarantine.list({ ...OPEN, reason: 'contradiction' })
          expect([lines.map((line) => line.transaction_uuid), await overdue()]).toEqual([told, []])
        }
      })

      test('is not overdue once its deposit has come', async () => {
        await compare([brought], 'merchant')
        await later(DAY)
        await compare([brought], 'merchant')
        expect(await overdue()).toEqual([])
      })
    })

    test('is not overdue if the list had it before, under a type that nobody knows', async () => {
      await stores.one.users.ensure('user_1', now)
      const untyped = edge('Credit', 'd1', '100')
      await compare([untyped], 'merchant')
      await tell('merchant')
      await later(DAY)
      await compare([untyped], 'merchant')
      expect(await overdue()).toEqual([])
    })

    test('is overdue where the list says that it failed', async () => {
      await stores.one.users.ensure('user_1', now)
      const failed = { ...deposit, node: { ...deposit.node, status: 'FAILED' } }
      await compare([failed], 'merchant')
      await later(1)
      await tell('merchant')
      await later(DAY)
      await compare([failed], 'merchant')
      expect((await overdue()).map(({ uuid }) => uuid)).toEqual(['d1'])
    })

    test('is a difference where the cashier keeps the books', async () => {
      await stores.one.users.ensure('user_1', now)
      await tell('embedded')
      await later(DAY)
      await compare([])
      expect([await texts(), await overdue()]).toEqual([['0 100 -100 null'], []])
    })
  })

  test.each([
    [30_000, []],
    [90_000, ['d1']],
  ])('what was booked %i ms before a command began to read may be later than its list', async (ms, differing) => {
    await stores.one.users.ensure('user_1', now)
    await compare([deposit])
    now += ms
    const rules = { store: stores.one, ledgerMode: 'embedded', ledgerStartMs: 0, clock: () => now } as const
    const checkTotals = createCheckTotals({ ...rules, statuses: STATUSES, overdueMs: DAY })
    const lists = pagedGateway([])
    const readWhole = createReadWhole({ ...rules, lists, statuses: STATUSES, clockOffsetMs: () => 0, checkTotals })
    const read = await readWhole('user_1')
    const totals = typeof read === 'string' ? [] : read.totals
    expect(totals.flatMap(({ transactions }) => transactions.map((one) => one.transaction_uuid))).toEqual(differing)
  })

  test('a record that is gone from the list is a difference', async () => {
    await begin()
    await later(DAY)
    await compare([])
    expect(await texts()).toEqual(['0 100 -100 null'])
  })

  test('of an erased user who has come back, only a success that was not known before is a difference', async () => {
    await begin()
    const failed = edge('Deposit', 'd2', '30')
    await later(DAY)
    await compare([{ ...failed, node: { ...failed.node, status: 'FAILED' } }, deposit])
    expect(await eraseUser(stores.one, 'user_1', 'erased_1', () => now)).toMatchObject({ outcome: 'erased' })
    await stores.one.users.ensure('user_1', now)
    await compare([{ ...failed, node: { ...failed.node, status: 'FAILED' } }, deposit])
    expect(await texts()).toEqual([])
    await later(DAY)
    await compare([failed, deposit])
    expect(await texts()).toEqual(['30 0 30 null'])
  })

  test('where the merchant keeps the books, a person is told of it, once', async () => {
    await begin('merchant')
    const failed = { ...edge('Deposit', 'd2', '30'), node: { ...edge('Deposit', 'd2', '30').node, status: 'FAILED' } }
    await later(DAY)
    await compare([failed, deposit], 'merchant')
    expect(await eraseUser(stores.one, 'user_1', 'erased_1', () => now)).toMatchObject({ outcome: 'erased' })
    await stores.one.users.ensure('user_1', now)
    const told = async () =>
      (await stores.one.quarantine.list({ reason: 'contradiction', settled: false, after: 0, limit: 9 })).map(
        ({ transaction_uuid }) => transaction_uuid,
      )
    await compare([failed, deposit], 'merchant')
    expect(await told()).toEqual([])
    for (let times = 0; times < 2; times += 1) {
      await later(DAY)
      await compare([edge('Deposit', 'd2', '30'), deposit], 'merchant')
      expect(await told()).toEqual(['d2'])
    }
  })

  test('a list that is not complete proves nothing', async () => {
    await begin()
    await restored()
    now += 1000
    const { one: store } = stores
    const rules = { store, ledgerMode: 'embedded', ledgerStartMs: 0, clock: () => now } as const
    const short = pagedGateway([deposit], { spoil: (page) => ({ ...page, total_count: 2 }) })
    const checkTotals = createCheckTotals({ ...rules, statuses: STATUSES, overdueMs: DAY })
    const gateway = { ...short, clockOffsetMs: () => 0, statuses: STATUSES }
    const compareUser = createCompareUser({ ...rules, gateway, checkTotals })
    for (const claimed of await store.reconcileQueue.claimDue('sweep', 9, 1000)) await compareUser(claimed)
    expect(await requester()()).toBe('outcome_unknown')
  })

  test('a user whom nobody has seen for months is due once a week', async () => {
    await begin()
    await stores.one.users.markSeen('user_1', now - 90 * DAY)
    await later(DAY)
    await compare([deposit])
    const { one: store } = stores
    const sweep = createSweep({
      ...{ store, clock: () => now, gateway: NO_MERCHANT_LIST, clockOffsetMs: () => 0, callsPerSecond: 1 },
      ...{ statuses: STATUSES, ledgerStartMs: 0, absenceMs: HOUR },
    })
    const due = async (): Promise<boolean> => {
      await sweep(() => true)
      return (await store.reconcileQueue.nextDueMs()) !== null
    }
    const days: number[] = []
    for (let day = 1; day <= 15; day += 1) {
      now += DAY + 1000
      if (!(await due())) continue
      days.push(day)
      await compare([deposit])
    }
    expect(days).toEqual([7, 14])
  })
})
