/** A model of the merchant's staff and programs. They settle waiting cases, often at a bad moment. */
import { amountText, unitsOf, type Units } from './amounts.ts'
import { userName } from './gateway-life.ts'
import { MERCHANT_BACKEND } from './instance.ts'
import type { Movement } from './gateway-records.ts'
import { CURRENCIES, currencyAt } from './currencies.ts'
import { callKey } from './model-gateway.ts'
import { ask, withdrawalsOf } from './ask.ts'
import type { Action } from './plan.ts'
import type { Chance } from './random.ts'
import type { CallOutcome, World } from './world.ts'

type AdjustmentAction = Extract<Action, { kind: 'adjustment' }>

interface Booked {
  readonly user: string
  readonly currencyId: string
  readonly units: Units
  readonly atMs: number
  /** Null if a person booked it at the end. */
  readonly action: AdjustmentAction | null
}

/** Refusals that are not retried. */
const FINAL = ['insufficient_balance', 'not_found', 'not_available', 'invalid_request']

export class ModelOperator {
  readonly #world: World
  /** Booked adjustments: user, currency, amount. */
  adjustments: readonly Booked[] = []
  /** Payouts that the merchant booked by itself, because their withdrawals are lost. */
  readonly lost: Pick<Booked, 'user' | 'currencyId' | 'units'>[] = []
  /** Adjustments without an answer yet. */
  openAdjustments = 0
  readonly #adjusting: string[] = []
  #reading: Promise<void> = Promise.resolve()

  constructor(world: World) {
    this.#world = world
  }

  #note(booked: Omit<Booked, 'atMs'>): void {
    this.adjustments = [...this.adjustments, { ...booked, atMs: this.#world.clock.now() }]
  }

  /** After a restore the merchant repeats what it booked since the backup. */
  repeatSince(backupMs: number): void {
    const lost = this.adjustments.filter(({ atMs }) => atMs >= backupMs)
    this.adjustments = this.adjustments.filter(({ atMs }) => atMs < backupMs)
    for (const { action } of lost) if (action !== null) void this.adjust(action)
  }

  isAdjusting(user: string): boolean {
    return this.#adjusting.includes(user)
  }

  /** Repeated under one reference until it is answered. */
  async adjust({ id, user, currency, units }: AdjustmentAction): Promise<void> {
    const world = this.#world
    const { id: currencyId } = currencyAt(currency)
    const input = { currency_id: currencyId, amount: amountText(units), reference: id } as never
    this.openAdjustments += 1
    this.#adjusting.push(userName(user))
    for (let tries = 0; ; tries += 1) {
      const outcome = await world.call((useCases) => useCases.adjustBalance(userName(user), input), {
        occasion: `${id} ${tries}`,
      })
      if (outcome.kind === 'value') {
        this.#note({
          user: userName(user),
          currencyId,
          units,
          action: { id, user, currency, units } as AdjustmentAction,
        })
        break
      }
      if (outcome.kind === 'problem' && FINAL.includes(outcome.code)) break
      await world.wait(1000)
    }
    this.openAdjustments -= 1
    this.#adjusting.splice(this.#adjusting.indexOf(userName(user)), 1)
  }

  /** Books a payout whose withdrawal a restored backup does not have, where the cashier keeps the books. */
  async bookLost({ uuid, user, currency, status, askedUnits }: Movement): Promise<void> {
    const world = this.#world
    if (status !== 'succeeded') return
    if (world.ledgerMode === 'merchant') {
      this.lost.push({ user, currencyId: currency.id, units: -askedUnits })
      return
    }
    const input = { currency_id: currency.id, amount: amountText(-askedUnits), reference: `lost-${uuid}` } as never
    await ask(world, (useCases) => useCases.adjustBalance(user, input))
    this.#note({ user, currencyId: currency.id, units: -askedUnits, action: null })
  }

  async act(occasion: string): Promise<void> {
    const chance = this.#world.faults.details(`operator ${occasion}`)
    await chance.pick([
      () => this.#resolveWithdrawal(chance),
      () => this.#resolveWithdrawal(chance),
      () => this.#settleQuarantine(chance),
      () => this.#sendAgain(),
    ])()
  }

  /** Looks at the gateway, and settles a withdrawal by what it finds there. */
  async #resolveWithdrawal(chance: Chance): Promise<void> {
    const world = this.#world
    const listed = await world.call((useCases) =>
      useCases.listWithdrawals({ status: 'unknown', user_reference_id: null, after: null, limit: 100 }),
    )
    if (listed.kind !== 'value' || listed.value.withdrawals.length === 0) return
    const one = chance.pick(listed.value.withdrawals)
    const currency = CURRENCIES.find(({ currency_code }) => currency_code === one.currency) ?? CURRENCIES[0]
    const key = callKey({
      user: one.user_reference_id,
      currencyId: currency.id,
      units: unitsOf(one.amount),
      address: one.wallet_address,
    })
    const payouts = world.gateway.movements.filter(({ askedBy }) => askedBy === key)
    const payout = payouts[0]
    // A call that is still on its way may yet make a payout.
    const isOld = world.clock.now() - Date.parse(one.updated_at) > 60_000
    if (payout === undefined && !isOld) return
    const resolution =
      payout === undefined
        ? { outcome: 'not_sent' as const }
        : { outcome: 'sent' as const, transaction_uuid: payout.uuid }
    const outcome = await world.call((useCases) => useCases.resolveWithdrawal(one.id, resolution))
    world.note(`a person settles ${one.id} as ${resolution.outcome}: ${said(outcome)}`)
  }

  async #settleQuarantine(chance: Chance): Promise<void> {
    const world = this.#world
    const listed = await world.call((useCases) =>
      useCases.listQuarantine({ reason: null, state: 'open', after: null, limit: 100 }),
    )
    if (listed.kind !== 'value' || listed.value.items.length === 0) return
    const item = chance.pick(listed.value.items)
    const action = chance.pick(['apply', 'apply', 'dismiss'] as const)
    const outcome = await world.call((useCases) => useCases.resolveQuarantine(item.id, { action }, MERCHANT_BACKEND))
    world.note(`a person settles quarantine ${item.id} (${item.reason}) by ${action}: ${said(outcome)}`)
  }

  /** Decides each withdrawal that still waits for the merchant or an operator; others go on by themselves. */
  async decideAll(): Promise<void> {
    const world = this.#world
    for (const { id, awaits_decision } of await withdrawalsOf(world))
      if (awaits_decision) void world.decide(id, 'approve')
  }

  async #sendAgain(): Promise<void> {
    await this.#world.call((useCases) => useCases.redeliver({ dead: true }))
  }

  /** Continues reading the feed, a few events at a time. */
  readFeed(limit: number): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      const { merchant } = this.#world
      for (let pages = 0; pages < 1000; pages += 1) {
        const after = merchant.cursor
        const outcome = await this.#world.call((useCases) => useCases.listMerchantEvents({ after, limit }))
        if (outcome.kind === 'problem' && outcome.code === 'cursor_lost') {
          merchant.startOver()
          continue
        }
        if (outcome.kind !== 'value') return
        merchant.feed.push(...outcome.value.events)
        merchant.cursor = outcome.value.next_cursor
        if (outcome.value.events.length < limit) return
      }
    })
    return this.#reading
  }
}

const said = (outcome: CallOutcome<unknown>): string => (outcome.kind === 'problem' ? outcome.code : outcome.kind)
