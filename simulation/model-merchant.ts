/** A model of the merchant's backend: it decides about withdrawals, takes event webhooks, and reads the feed. */
import type { Faults } from './faults.ts'
import type { Settings } from './plan.ts'
import { AUTHORIZE_URL } from './instance.ts'
import { never, type Machine } from './machine.ts'
import type { VirtualClock } from './virtual-clock.ts'

export type Decision = 'approve' | 'decline' | 'postpone'

/** An event as the merchant got it, by webhook or in the feed. */
export interface MerchantEvent {
  readonly cursor: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface MerchantOptions {
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly settings: Settings
  /** Calls `POST /api/merchant/withdrawals/{id}/authorization` of any instance. */
  readonly decide: (withdrawalId: string, decision: 'approve' | 'decline') => void
  readonly note: (line: string) => void
}

interface Reply {
  readonly status: number
  readonly body: string
}

export class ModelMerchant {
  readonly #options: MerchantOptions
  /** The last answer about each withdrawal. */
  readonly answers = new Map<string, Decision>()
  /** Decisions that the merchant sent later, per withdrawal. */
  readonly decisions = new Map<string, Set<'approve' | 'decline'>>()
  /** Event webhooks in order of arrival; `id` is `webhook-id`. */
  readonly delivered: (MerchantEvent & { readonly id: string })[] = []
  /** Cursors of events that reached the merchant's address, accepted or not. */
  readonly attempted = new Set<string>()
  /** The feed as the merchant read it, page by page. */
  readonly feed: MerchantEvent[] = []
  cursor: string | null = null
  readonly #calls = new Map<string, number>()

  constructor(options: MerchantOptions) {
    this.#options = options
  }

  /** After a restore the feed is another one. */
  startOver(): void {
    this.feed.length = 0
    this.cursor = null
  }

  /** A call to one of the merchant's addresses. */
  async call(machine: Machine, url: string, init: RequestInit): Promise<Reply> {
    const { faults } = this.#options
    const body = typeof init.body === 'string' ? init.body : ''
    const headers = init.headers as Readonly<Record<string, string>>
    const id = headers['webhook-id'] ?? ''
    const calls = (this.#calls.get(id) ?? 0) + 1
    this.#calls.set(id, calls)
    const occasion = `${id} ${calls}`
    const chance = faults.details(`merchant ${occasion}`)
    if (url !== AUTHORIZE_URL) this.attempted.add((JSON.parse(body) as MerchantEvent).cursor)
    await this.#wait(machine, chance.between(1, 200))
    if (faults.happens('merchant_away', occasion)) {
      if (chance.chance(0.5)) return this.#reply(machine, { status: 500, body: '' }, 1)
      return never()
    }
    const reply = url === AUTHORIZE_URL ? this.#authorize(body) : this.#take(id, body)
    // The reply may be lost although the merchant did its work.
    if (faults.happens('reply_lost', `merchant ${occasion}`)) return never()
    return this.#reply(machine, reply, chance.between(1, 300))
  }

  #authorize(body: string): Reply {
    const { faults, clock, decide, note } = this.#options
    const { withdrawal_id } = JSON.parse(body) as { withdrawal_id: string }
    const chance = faults.details(`authorize ${withdrawal_id}`)
    const decision = chance.pick<Decision>(['approve', 'approve', 'approve', 'postpone', 'postpone', 'decline'])
    this.answers.set(withdrawal_id, decision)
    note(`the merchant answers ${decision} about ${withdrawal_id}`)
    if (decision === 'postpone')
      for (const at of chance.pick([[], [0], [50], [5000], [20, 30], [100, 60_000]]))
        clock.after(at, () => decide(withdrawal_id, chance.chance(0.8) ? 'approve' : 'decline'))
    return { status: 200, body: JSON.stringify({ decision }) }
  }

  #take(id: string, body: string): Reply {
    const { cursor, data } = JSON.parse(body) as MerchantEvent
    this.delivered.push({ id, cursor, data })
    return { status: 200, body: '' }
  }

  #wait(machine: Machine, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.after(ms, () => {
        machine.whenAwake(() => {
          if (machine.alive) machine.run(resolve)
        })
      })
    })
  }

  async #reply(machine: Machine, reply: Reply, ms: number): Promise<Reply> {
    await this.#wait(machine, ms)
    return machine.step() ? reply : never()
  }
}
