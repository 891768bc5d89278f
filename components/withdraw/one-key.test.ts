/**
 * Reviews in several tabs, with presses, answers, losses, reloads and store transactions in any order, against a server
 * that pays once for each key. Within two minutes, and if nobody confirms a repeat, one request is one withdrawal.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWithdrawalAttempt, type WithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import { isRepeated } from './repeated-withdrawal.ts'

const REQUESTS: readonly WithdrawalBody[] = [
  { currency_id: 'c', amount: '5', wallet_address: 'T' },
  { currency_id: 'c', amount: '6', wallet_address: 'T' },
]

/** A request on its way, from a page that may be gone when the answer comes. */
interface Sent {
  readonly page: WithdrawalAttempt
  readonly key: string
  readonly request: WithdrawalBody
  withdrawalId: string | null
}

class World {
  readonly #schedule: fc.Scheduler
  readonly #denied: boolean
  readonly #tabs: WithdrawalAttempt[]
  readonly #sent: Sent[] = []
  readonly #recorded: { page: WithdrawalAttempt; withdrawalId: string }[] = []
  /** What the server has, by key. */
  readonly withdrawals = new Map<string, { readonly id: string; readonly amount: string }>()
  readonly keysOf = new Map<string, Set<string>>()
  #stored: unknown
  #keys = 0
  #nowMs = 0

  constructor(schedule: fc.Scheduler, tabs: number, denied: boolean) {
    this.#schedule = schedule
    this.#denied = denied
    this.#tabs = Array.from({ length: tabs }, () => this.#open())
  }

  #open(): WithdrawalAttempt {
    return createWithdrawalAttempt({
      newKey: () => `key-${(this.#keys += 1)}`,
      sessionId: 's',
      clock: () => (this.#nowMs += 10),
      store: { update: this.#ownTransactions() },
    })
  }

  /** Transactions of one tab run in the order of their start. Those of other tabs may run between them. */
  #ownTransactions(): (change: (stored: unknown) => unknown) => Promise<void> {
    let last = Promise.resolve()
    return (change) => {
      const run = last.then(async () => {
        await this.#schedule.schedule(Promise.resolve(), 'transaction')
        if (this.#denied) throw new DOMException('denied', 'SecurityError')
        const next = change(structuredClone(this.#stored))
        if (next !== null) this.#stored = structuredClone(next)
      })
      last = run.catch(() => undefined)
      return run
    }
  }

  #tab(nth: number): WithdrawalAttempt {
    return this.#tabs[nth % this.#tabs.length] as WithdrawalAttempt
  }

  /** As the review does it, but with an empty list and without a lock between the tabs. */
  async press(nth: number, which: number): Promise<void> {
    const page = this.#tab(nth)
    const request = REQUESTS[which % REQUESTS.length] as WithdrawalBody
    await page.refresh()
    const known = { listed: [], live: [], sent: page.sent() }
    if (!page.isRetry(request) && isRepeated(request, 'Tron', known, { nowMs: this.#nowMs, aheadMs: 0 })) return
    const key = await page.start(request)
    // A page that was reloaded meanwhile sends nothing.
    if (key === null || !this.#tabs.includes(page)) return
    this.#sent.push({ page, key, request, withdrawalId: null })
    this.keysOf.set(request.amount, (this.keysOf.get(request.amount) ?? new Set()).add(key))
  }

  arrive(nth: number): void {
    const sent = this.#sent[nth % Math.max(1, this.#sent.length)]
    if (!sent) return
    const { key, request } = sent
    const known = this.withdrawals.get(key) ?? { id: `w-${key}`, amount: request.amount }
    this.withdrawals.set(key, known)
    sent.withdrawalId = known.id
  }

  answer(nth: number): void {
    const [sent] = this.#sent.splice(nth % Math.max(1, this.#sent.length), 1)
    if (!sent) return
    if (sent.withdrawalId === null) sent.page.fail(new RequestFailure('timeout', { requestId: null }))
    else {
      sent.page.record(sent.withdrawalId)
      this.#recorded.push({ page: sent.page, withdrawalId: sent.withdrawalId })
    }
  }

  /** The server may have the request, or receive it later. */
  lose(nth: number): void {
    this.#sent[nth % Math.max(1, this.#sent.length)]?.page.fail(new RequestFailure('offline', { requestId: null }))
  }

  show(nth: number): void {
    const shown = this.#recorded[nth % Math.max(1, this.#recorded.length)]
    shown?.page.show(shown.withdrawalId)
  }

  edit(nth: number): void {
    this.#tab(nth).edit()
  }

  reload(nth: number): void {
    this.#tabs[nth % this.#tabs.length] = this.#open()
  }
}

const steps = ['press', 'press', 'press', 'wait', 'wait', 'arrive', 'answer', 'lose', 'show', 'edit', 'reload'] as const
const anyStep = fc.record({ step: fc.constantFrom(...steps), nth: fc.nat(5), which: fc.nat(1) })
type Step = (typeof steps)[number]

async function play(
  world: World,
  schedule: fc.Scheduler,
  story: readonly { step: Step; nth: number; which: number }[],
): Promise<void> {
  const presses: Promise<void>[] = []
  for (const { step, nth, which } of story) {
    if (step === 'press') presses.push(world.press(nth, which))
    else if (step !== 'wait') world[step](nth)
    else if (schedule.count() > 0) await schedule.waitNext(1)
    // Lets everything continue that does not wait for a transaction.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await schedule.waitFor(Promise.all(presses))
}

const isOneEach = (world: World): void => {
  for (const keys of world.keysOf.values()) expect(keys.size).toBe(1)
  expect(new Set([...world.withdrawals.values()].map(({ amount }) => amount)).size).toBe(world.withdrawals.size)
}

test('one request has one key in three tabs, for any order of presses, losses, reloads and shown outcomes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(anyStep, { maxLength: 60, size: 'max' }), async (schedule, story) => {
      const world = new World(schedule, 3, false)
      await play(world, schedule, story)
      isOneEach(world)
    }),
    { numRuns: 5000 },
  )
})

test('without access to the store, one request has one key as long as the page lives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(anyStep, { maxLength: 60, size: 'max' }), async (schedule, story) => {
      const world = new World(schedule, 1, true)
      await play(
        world,
        schedule,
        story.filter(({ step }) => step !== 'reload'),
      )
      isOneEach(world)
    }),
    { numRuns: 5000 },
  )
})
