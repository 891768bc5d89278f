/** A model of a person and the page: sessions, reviews of withdrawals, purchases, live streams. */
import { amountText } from './amounts.ts'
import { userName } from './gateway-life.ts'
import { createWithdrawalAttempt, type CashierSession, type PageAttempt, type StreamLine } from './instance.ts'
import { currencyAt } from './currencies.ts'
import { callKey } from './model-gateway.ts'
import { WAIT_MS, type Action } from './plan.ts'
import type { CallOutcome, World } from './world.ts'

type WithdrawalAction = Extract<Action, { kind: 'withdrawal' }>
type PurchaseAction = Extract<Action, { kind: 'purchase' }>

/** A wallet's address, valid on its network. */
const walletAddress = (currency: number, address: number): string =>
  currencyAt(currency).network === 'Ethereum' ? `0x${String(address + 1).repeat(40)}` : `SimWallet${address}AbC`

export class ModelUser {
  readonly name: string
  readonly #world: World
  #stored: unknown
  #session: Promise<CashierSession | null> | null = null
  #attempt: PageAttempt | null = null
  /** The session of the page that is open. */
  #pageOf: string | null = null
  /** The page shows one review at a time. */
  #reviews: Promise<void> = Promise.resolve()
  /** When the withdrawals that the user knows were requested first. */
  readonly asked = new Map<string, number>()
  readonly #waiting = new Set<string>()
  /** How often each withdrawal was reviewed and confirmed, by `callKey`. */
  readonly reviews = new Map<string, number>()
  /** Events and resets of the user's streams, in the order in which the pages received them. */
  readonly streams: { readonly from: number; readonly lines: StreamLine[]; resets: number }[] = []
  #keys = 0
  /** Whether the user has a session. */
  isKnown = false

  constructor(world: World, index: number) {
    this.#world = world
    this.name = userName(index)
  }

  /** The session. The merchant tries to open it until that works. */
  session(): Promise<CashierSession | null> {
    this.#session ??= this.#open()
    return this.#session
  }

  /** The cashier does not know the user and the session any more. */
  forget(): void {
    this.isKnown = false
    this.#session = null
  }

  async #open(): Promise<CashierSession | null> {
    for (let tries = 0; tries < 200; tries += 1) {
      const outcome = await this.#world.call((_useCases, instance) => instance.openSession(this.name))
      if (outcome.kind === 'value') {
        this.isKnown = true
        return outcome.value
      }
      await this.#world.wait(2000)
    }
    return null
  }

  #newKey = (): string => {
    this.#keys += 1
    return `key-${this.name}-${this.#keys}`
  }

  #openPage(session: CashierSession): PageAttempt {
    this.#pageOf = session.id
    const options = {
      newKey: this.#newKey,
      store: {
        update: (change: (stored: unknown) => unknown) => {
          const next = change(this.#stored)
          if (next !== null) this.#stored = next
          return Promise.resolve()
        },
      },
      sessionId: session.id,
      clock: () => this.#world.clock.now(),
    }
    return this.#world.bug?.page?.(options.newKey) ?? createWithdrawalAttempt(options)
  }

  withdraw(action: WithdrawalAction): Promise<void> {
    const done = this.#reviews.then(() => this.#review(action))
    this.#reviews = done
    return done
  }

  async #review({ id, currency, units, address, presses }: WithdrawalAction): Promise<void> {
    const session = await this.session()
    if (session === null) return
    const world = this.#world
    const { id: currencyId } = currencyAt(currency)
    const wallet = walletAddress(currency, address)
    const key = callKey({ user: this.name, currencyId, units, address: wallet })
    this.reviews.set(key, (this.reviews.get(key) ?? 0) + 1)
    const request = { currency_id: currencyId, amount: amountText(units), wallet_address: wallet } as never
    // A page ends with its session.
    if (this.#attempt === null || this.#pageOf !== session.id) this.#attempt = this.#openPage(session)
    const review = { shown: false, sent: 0, beganMs: world.clock.now() }
    const press = async (): Promise<void> => {
      // The button is gone once the outcome is on the screen.
      const idempotencyKey = review.shown ? null : ((await this.#attempt?.start(request)) ?? null)
      if (idempotencyKey === null) return
      review.sent += 1
      const occasion = `${id} ${review.sent}`
      world.note(`${this.name} sends ${id}: ${amountText(units)} under ${idempotencyKey}`)
      const present = (await this.session()) ?? session
      const outcome = await world.call((useCases) => useCases.requestWithdrawal(present, request, idempotencyKey), {
        occasion,
      })
      world.note(`${this.name} hears of ${id}: ${describe(outcome)}`)
      const recorded = recordedId(outcome)
      if (recorded !== null && !this.asked.has(recorded)) this.asked.set(recorded, review.beganMs)
      if (recorded !== null && isWaiting(outcome)) this.#await(present, recorded)
      if (recorded === null)
        this.#attempt?.fail({ code: outcome.kind === 'problem' ? outcome.code : 'offline' } as never)
      else {
        this.#attempt?.record(recorded)
        await world.wait(70)
        this.#attempt?.show(recorded)
        review.shown = true
      }
      if (outcome.kind === 'problem' && !['internal', 'conflict', 'store_unavailable'].includes(outcome.code))
        review.shown = true
    }
    const pressed: Promise<void>[] = []
    for (const afterMs of presses) {
      pressed.push(press())
      if (world.faults.details(`reload ${id} ${afterMs}`).chance(0.1)) this.#attempt = this.#openPage(session)
      await world.wait(afterMs)
    }
    await Promise.all(pressed)
    // If the answer is lost, the person tries again, and gives up after some attempts.
    for (let tries = 0; !review.shown && tries < 5; tries += 1) {
      await world.wait(1500)
      await press()
    }
    this.#attempt.edit()
  }

  /** While a withdrawal waits, operators decide, and the user may cancel: at once, or when the wait ends. */
  #await(session: CashierSession, id: string): void {
    if (this.#waiting.has(id)) return
    this.#waiting.add(id)
    const world = this.#world
    const chance = world.faults.details(`waiting ${id}`)
    const decisions = chance.pick([[], [0], [30], [20, 30], [1500], [100, 20_000], [WAIT_MS - 20], [WAIT_MS + 2000]])
    const cancels = chance.pick([[], [], [], [0], [25], [1500], [WAIT_MS - 30], [WAIT_MS + 10, WAIT_MS + 2500], [9000]])
    if (world.ledgerMode === 'embedded')
      for (const at of decisions)
        world.clock.after(at, () => void world.decide(id, chance.chance(0.8) ? 'approve' : 'decline'))
    for (const at of cancels) world.clock.after(at, () => void world.cancel(session, id))
  }

  async buy({ id, currency, units }: PurchaseAction): Promise<void> {
    const session = await this.session()
    if (session === null) return
    const request = {
      currency_id: currencyAt(currency).id,
      amount: amountText(units),
      fiat_currency: 'EUR',
      country: 'DE',
    }
    await this.#world.call((useCases) => useCases.startOnramp(session, request as never), { occasion: id })
  }

  /** Reads the live stream for a while, loses it, and continues from the last number. */
  async watch(readings: number): Promise<void> {
    const session = await this.session()
    if (session === null) return
    const world = this.#world
    let last: number | null = null
    let stream: (typeof this.streams)[number] | null = null
    for (let reading = 0; reading < readings; reading += 1) {
      const after: number | null = last
      let lost = false
      const outcome = await world.call(async (_useCases, { hub, machine }) => {
        const open = await hub.open({ user: this.name, sessionId: session.id, after })
        return { open, machine }
      })
      if (outcome.kind !== 'value') {
        await world.wait(2000)
        continue
      }
      const { open, machine } = outcome.value
      stream ??= { from: open.start.cursor, lines: [], resets: 0 }
      if (!this.streams.includes(stream)) this.streams.push(stream)
      if (open.start.reset) stream.resets += 1
      last ??= open.start.cursor
      const mine = stream
      machine.run(() =>
        open.attach({
          write: (events) => {
            if (lost || !machine.alive) return
            for (const event of world.bug?.stream?.(events) ?? events) {
              mine.lines.push(event)
              last = event.seq
            }
          },
          reset: () => {
            mine.resets += 1
          },
          drained: () => Promise.resolve(),
          end: () => undefined,
        }),
      )
      await world.wait(world.faults.details(`stream ${this.name} ${reading}`).pick([500, 5000, 30_000]))
      lost = true
      if (machine.alive) machine.run(() => open.close())
    }
  }
}

const describe = (outcome: CallOutcome<unknown>): string =>
  outcome.kind === 'problem' ? outcome.code : outcome.kind === 'lost' ? 'nothing' : 'an answer'

type WithdrawalCall = Parameters<Parameters<World['call']>[0]>[0]['requestWithdrawal']

function isWaiting(outcome: CallOutcome<Awaited<ReturnType<WithdrawalCall>>>): boolean {
  if (outcome.kind !== 'value' || outcome.value.outcome === 'declined') return false
  return outcome.value.withdrawal.status === 'pending_authorization'
}

/** The withdrawal in an answer. */
function recordedId(outcome: CallOutcome<Awaited<ReturnType<WithdrawalCall>>>): string | null {
  if (outcome.kind === 'problem') return outcome.withdrawalId
  if (outcome.kind === 'lost') return null
  const { value } = outcome
  return value.outcome === 'declined' ? value.withdrawal_id : value.withdrawal.id
}
