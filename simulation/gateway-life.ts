/** The events at the gateway: deposits arrive, payouts and purchases advance, and webhooks report them. */
import { smallest, visible, type Units } from './amounts.ts'
import { movementTold, purchaseTold, type Movement, type Purchase } from './gateway-records.ts'
import { currencyAt, CURRENCIES } from './currencies.ts'
import { OUR_MERCHANT } from './model-gateway.ts'
import { hashOf } from './random.ts'
import type { World } from './world.ts'

/** What the oracle must know about transactions besides their end. */
export interface GatewayTruth {
  /** Transactions about which the gateway contradicted itself. */
  readonly contradicted: Set<string>
  /** Events that name our user but belong to somebody else. */
  readonly strangers: Set<string>
}

export const userName = (user: number): string => `user-${user}`

interface DepositWish {
  readonly id: string
  readonly user: number
  readonly currency: number
  readonly units: Units
}

export class GatewayLife {
  readonly #world: World
  readonly truth: GatewayTruth = { contradicted: new Set(), strangers: new Set() }

  constructor(world: World) {
    this.#world = world
    world.onPayout = (payout) => void this.#followPayout(payout)
    world.onPurchase = (purchase) => void this.#followPurchase(purchase)
  }

  async deposit({ id, user, currency, units }: DepositWish): Promise<void> {
    const { world, faults } = { world: this.#world, faults: this.#world.faults }
    const uuid = world.uuid(id)
    if (faults.happens('stranger', id)) return this.#strange(id, userName(user), currency, units)
    const hash = `0x${hashOf(uuid).toString(16).padStart(8, '0')}ab`
    const movement = this.#movement({ uuid, user: userName(user), currency, units, merchant: OUR_MERCHANT, hash })
    await this.#live(movement, id)
  }

  /** An event that names our user, but belongs to another merchant or to an unknown purchase. */
  async #strange(id: string, user: string, currency: number, units: Units): Promise<void> {
    const world = this.#world
    const uuid = world.uuid(`stranger ${id}`)
    const chance = world.faults.details(`stranger ${id}`)
    this.truth.strangers.add(uuid)
    if (chance.chance(0.5)) {
      const hash = `0x${hashOf(uuid).toString(16).padStart(8, '0')}cd`
      const movement = this.#movement({ uuid, user, currency, units, merchant: 'merchant-2', hash })
      await this.#live(movement, id)
      return
    }
    const ours = chance.chance(0.5) ? await this.#keyedPurchase() : undefined
    const reference = ours?.reference ?? world.uuid(`reference ${id}`)
    const purchase: Purchase = {
      uuid,
      reference,
      correlationKey: `merchant-2:${reference}`,
      user: ours?.user ?? user,
      currency: currencyAt(currency),
      paid: '50',
      madeMs: world.clock.now(),
      units,
      hash: null,
    }
    await this.#tellPurchase(purchase, 'succeeded')
  }

  /**
   * A purchase whose key the cashier has. If the reply was lost, nobody can tell our purchase from another merchant's.
   */
  async #keyedPurchase(): Promise<Purchase | undefined> {
    const rows = await this.#world.database.rows('select id from onramp_sessions where correlation_key is not null')
    const keyed = new Set(rows.map(({ id }) => id))
    return this.#world.gateway.purchases.findLast(({ reference }) => keyed.has(reference))
  }

  #movement(of: {
    readonly uuid: string
    readonly user: string
    readonly currency: number
    readonly units: Units
    readonly merchant: string
    readonly hash: string | null
  }): Movement {
    const now = this.#world.gateway.now()
    const movement: Movement = {
      ...of,
      kind: 'deposit',
      ...(this.#world.faults.happens('listed_type_odd', of.uuid) && { listedType: 'DEPOSIT' }),
      currency: currencyAt(of.currency),
      askedUnits: of.units,
      listedUnits: null,
      status: 'new',
      toAddress: 'deposit-address',
      insertedMs: now,
      updatedMs: now,
      askedBy: null,
    }
    this.#world.gateway.add(movement)
    return movement
  }

  /** A deposit from its detection to its end. */
  async #live(movement: Movement, id: string): Promise<void> {
    const { gateway, faults, webhooks } = this.#world
    const chance = faults.details(`life ${id}`)
    const { hash } = movement
    if (faults.happens('listed_late', id))
      movement.listedFromMs = this.#world.clock.now() + chance.pick([60_000, 3_600_000, 12 * 3_600_000])
    const spelled = faults.happens('hash_bare', id) ? (hash?.slice(2) ?? null) : hash
    if (faults.happens('hash_late', id)) movement.hash = null
    if (faults.happens('list_conflict', id)) {
      movement.listedUnits = movement.units + 5n * visible(movement.currency.decimals)
      this.truth.contradicted.add(movement.uuid)
    }
    const rounded = faults.happens('webhook_rounded', id)
    webhooks.send(
      movementTold(movement, 'processing', gateway.now(), { hash: movement.hash === null ? null : spelled, rounded }),
    )
    await this.#world.wait(chance.pick([10, 500, 3000, 20_000, 60_000]))
    movement.hash = hash
    const revived = faults.happens('deposit_revived', id)
    if (revived || chance.chance(0.06)) gateway.change(movement, 'failed')
    if (movement.status === 'failed' && !revived) return
    if (revived) await this.#world.wait(chance.pick([2000, 60_000, 3_600_000, 12 * 3_600_000]))
    movement.hashUnlisted = faults.happens('listed_hash_late', id)
    gateway.change(movement, 'succeeded')
    const renamed = faults.happens('currency_renamed', id)
    webhooks.send(movementTold(movement, 'succeeded', gateway.now(), { hash: spelled, renamed, rounded }))
    if (faults.happens('webhook_conflict', id)) {
      this.truth.contradicted.add(movement.uuid)
      const units = movement.units + 7n * visible(movement.currency.decimals)
      webhooks.send(movementTold(movement, 'succeeded', gateway.now(), { hash: spelled, units }))
    }
    if (!movement.hashUnlisted) return
    await this.#world.wait(chance.pick([2000, 30_000, 120_000]))
    movement.hashUnlisted = false
    gateway.change(movement, 'succeeded')
  }

  async #followPayout(payout: Movement): Promise<void> {
    const { gateway, faults, webhooks } = this.#world
    const chance = faults.details(`payout life ${payout.uuid}`)
    if (payout.status === 'approval') {
      await this.#world.wait(chance.pick([500, 5000, 90_000]))
      gateway.change(payout, 'new')
    }
    if (chance.chance(0.3)) webhooks.send(movementTold(payout, 'processing', gateway.now()))
    await this.#world.wait(chance.pick([5, 100, 2000, 15_000, 120_000]))
    payout.hash = `0x${hashOf(payout.uuid).toString(16).padStart(8, '0')}ef`
    if (chance.chance(0.08)) {
      gateway.change(payout, 'failed')
      return
    }
    gateway.change(payout, 'succeeded')
    const renamed = faults.happens('currency_renamed', payout.uuid)
    const rounded = faults.happens('webhook_rounded', payout.uuid)
    webhooks.send(movementTold(payout, 'succeeded', gateway.now(), { renamed, rounded }))
  }

  /** Somebody pays out to our user directly at the gateway. */
  unasked(id: string, user: number, currency: number, units: Units): void {
    const { gateway } = this.#world
    const payout: Movement = {
      uuid: this.#world.uuid(`unasked ${id}`),
      kind: 'payout',
      user: userName(user),
      merchant: OUR_MERCHANT,
      currency: currencyAt(currency),
      units,
      askedUnits: units,
      listedUnits: null,
      status: 'new',
      hash: null,
      toAddress: 'somewhere',
      insertedMs: gateway.now(),
      updatedMs: gateway.now(),
      askedBy: null,
    }
    gateway.add(payout)
    void this.#followPayout(payout)
  }

  async #followPurchase(purchase: Purchase): Promise<void> {
    const { faults, plan } = this.#world
    const chance = faults.details(`purchase life ${purchase.uuid}`)
    await this.#tellPurchase(purchase, 'pending')
    if (chance.chance(0.2)) return
    await this.#world.wait(chance.pick([500, 5000]))
    await this.#tellPurchase(purchase, 'processing')
    await this.#world.wait(chance.pick([500, 5000, 30_000]))
    if (chance.chance(0.1)) {
      await this.#tellPurchase(purchase, 'failed')
      return
    }
    const asDeposit = plan.settings.habits.purchaseIsDeposit
    const telling = this.#tellPurchase(purchase, 'succeeded')
    if (!asDeposit || purchase.user === null) return telling
    const deposit = this.#movement({
      uuid: this.#world.uuid(`deposit of ${purchase.uuid}`),
      user: purchase.user,
      currency: CURRENCIES.findIndex(({ id }) => id === purchase.currency.id),
      // A provider rounds, so the deposit's amount counts.
      units: purchase.units + chance.pick([0n, 0n, 1n, -1n]) * smallest(purchase.currency.decimals),
      merchant: OUR_MERCHANT,
      hash: purchase.hash,
    })
    await this.#live(deposit, deposit.uuid)
  }

  async #tellPurchase(purchase: Purchase, status: 'pending' | 'processing' | 'succeeded' | 'failed'): Promise<void> {
    const { gateway, webhooks } = this.#world
    this.ended.set(purchase.uuid, status)
    // The list does not show purchases, so their events repeat until the cashier takes them.
    webhooks.send(purchaseTold(purchase, status, gateway.now()), { mustArrive: status === 'succeeded' })
  }

  /** The last status of each purchase. */
  readonly ended = new Map<string, 'pending' | 'processing' | 'succeeded' | 'failed'>()
}
