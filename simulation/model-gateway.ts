/** A model of the payment gateway: its true state, and the operations that the cashier calls. */
import { amountText, cutTo, smallest, unitsOf, type Units } from './amounts.ts'
import type { Faults } from './faults.ts'
import {
  inUpperCase,
  listNode,
  wireCurrency,
  type Movement,
  type MovementStatus,
  type Purchase,
} from './gateway-records.ts'
import { CURRENCIES, currencyOfId } from './currencies.ts'
import type { GatewayHabits } from './plan.ts'
import { hashOf, uuidOf } from './random.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { WireOutcome } from './virtual-request.ts'

/** The gateway's name for our merchant. */
export const OUR_MERCHANT = 'merchant-1'

/** The content of a withdrawal request. The gateway gets no other data. */
export interface Asked {
  readonly user: string
  readonly currencyId: string
  readonly units: Units
  readonly address: string
}

export const callKey = ({ user, currencyId, units, address }: Asked): string =>
  `${user} ${currencyId} ${units} ${address.toLowerCase()}`

type Fields = Readonly<Record<string, unknown>>
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

interface Reply {
  readonly status: number
  readonly body: string
}
const ok = (body: unknown): Reply => ({ status: 200, body: JSON.stringify(body) })
const refusal = (status: number, body: Fields): Reply => ({ status, body: JSON.stringify(body) })

export interface GatewayOptions {
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly habits: GatewayHabits
  /** Called when a payout was made. */
  readonly onPayout: (payout: Movement) => void
  readonly onPurchase: (purchase: Purchase) => void
  readonly note: (line: string) => void
}

export class ModelGateway {
  readonly #options: GatewayOptions
  readonly #byUser = new Map<string, Movement[]>()
  readonly #nodes = new Map<string, string>()
  readonly #purchases = new Map<string, Purchase>()
  #listings = 0
  #replies = 0
  readonly #calls = new Map<string, number>()

  constructor(options: GatewayOptions) {
    this.#options = options
  }

  /** The gateway's own clock. */
  now(): number {
    return this.#options.clock.now() + this.#options.habits.skewMs
  }

  get movements(): readonly Movement[] {
    return [...this.#byUser.values()].flat()
  }

  get purchases(): readonly Purchase[] {
    return [...this.#purchases.values()]
  }

  purchase(reference: string): Purchase | null {
    return this.#purchases.get(reference) ?? null
  }

  add(movement: Movement): void {
    const list = this.#byUser.get(movement.user) ?? []
    list.push(movement)
    this.#byUser.set(movement.user, list)
  }

  change(movement: Movement, status: MovementStatus): void {
    movement.status = status
    movement.updatedMs = this.now()
    this.#nodes.delete(movement.uuid)
  }

  /** The reply to a call, after its effect. */
  answer(path: string, bodyText: string): WireOutcome {
    const fields = (bodyText === '' ? {} : JSON.parse(bodyText)) as Fields
    const reply = this.#spelled(this.#route(path, fields))
    const date = this.#options.habits.dates ? new Date(Math.floor(this.now() / 1000) * 1000).toUTCString() : null
    return { ...reply, date }
  }

  #spelled(reply: Reply): Reply {
    this.#replies += 1
    const isUpper = this.#options.faults.happens('id_case', `reply ${this.#replies}`)
    return isUpper ? { ...reply, body: inUpperCase(reply.body) } : reply
  }

  #route(path: string, fields: Fields): Reply {
    if (path.endsWith('/v1/merchant/currencies')) return ok(CURRENCIES.map(wireCurrency))
    if (path.endsWith('/v1/user/transactions')) {
      this.#listings += 1
      const mixed = this.#options.faults.happens('list_mixes_users', `list ${this.#listings}`)
      const own = this.#byUser.get(text(fields['user_reference_id'])) ?? []
      return this.#list(fields, mixed ? this.#inTimeOrder() : own)
    }
    if (path.endsWith('/v1/merchant/transactions') && this.#options.habits.listsAllUsers)
      return this.#list(fields, this.#inTimeOrder())
    if (path.endsWith('/v1/user/withdraw')) return this.#withdraw(fields)
    if (path.endsWith('/v1/user/payments')) return this.#pay(fields)
    return refusal(404, { message: 'no such operation' })
  }

  #inTimeOrder(): readonly Movement[] {
    return [...this.movements].sort((one, other) => one.insertedMs - other.insertedMs)
  }

  /** `all`: oldest first. */
  #list(fields: Fields, all: readonly Movement[]): Reply {
    const { pageSize, cursorIsPlace } = this.#options.habits
    // Newest first.
    const isListed = ({ merchant, listedFromMs = 0 }: Movement): boolean =>
      merchant === OUR_MERCHANT && (listedFromMs <= this.#options.clock.now() || this.#options.faults.over)
    const rows = all.filter(isListed).toReversed()
    const after = text(fields['after']).toLowerCase()
    const found = cursorIsPlace ? Number(after) : rows.findIndex(({ uuid }) => uuid === after) + 1
    const from = after === '' ? 0 : found
    const page = rows.slice(from, from + Math.min(pageSize, Number(fields['first'] ?? pageSize)))
    const edges = page.map((one, index) => {
      const cursor = cursorIsPlace ? String(from + index + 1) : one.uuid
      return `{"cursor":"${cursor}","inserted_at":"${new Date(one.insertedMs).toISOString()}","node":${this.#node(one)}}`
    })
    const last = page.at(-1)
    const end = last === undefined ? null : cursorIsPlace ? String(from + page.length) : last.uuid
    const info = {
      start_cursor: null,
      end_cursor: end,
      has_next_page: from + page.length < rows.length,
      has_previous_page: from > 0,
    }
    const body = `{"edges":[${edges.join(',')}],"page_info":${JSON.stringify(info)},"total_count":${rows.length}}`
    return { status: 200, body }
  }

  #node(one: Movement): string {
    const known = this.#nodes.get(one.uuid) ?? listNode(one)
    this.#nodes.set(one.uuid, known)
    return known
  }

  #withdraw(fields: Fields): Reply {
    const { habits, faults, note } = this.#options
    const asked: Asked = {
      user: text(fields['user_reference_id']),
      currencyId: currencyOfId(text(fields['currency_id'])).id,
      units: unitsOf(text(fields['amount'])),
      address: text(fields['wallet_address']),
    }
    const key = callKey(asked)
    const calls = (this.#calls.get(key) ?? 0) + 1
    this.#calls.set(key, calls)
    const chance = faults.details(`withdraw ${key} ${calls}`)
    const fate = chance.share()
    if (fate < 0.06) return refusal(422, { error: 'invalid', errors: { amount: ['is too small'] } })
    if (fate < 0.09) return refusal(400, { error: true, message: 'refused', request_id: 'r' })
    const payout = this.#makePayout(asked, `${key} ${calls}`)
    note(`the gateway makes the payout ${payout.uuid} of ${amountText(payout.units)} (call ${calls} of ${key})`)
    const naming = { transaction_uuid: payout.uuid }
    if (fate < 0.12) {
      this.change(payout, 'failed')
      return refusal(400, { error: true, message: 'failed', request_id: 'r', status: 'TXN_FAILED', ...naming })
    }
    // If the reply does not name the payout, the reply is lost (see `payout_unlinkable`).
    const told = habits.namesTransaction || (habits.repliesPaidAmount && !payout.respelled)
    const changed = payout.respelled || payout.units !== asked.units
    if (changed && !told && !faults.happens('payout_unlinkable', key)) {
      this.#options.onPayout(payout)
      return refusal(504, {})
    }
    const waits = fate > 0.92
    if (waits) this.change(payout, 'approval')
    this.#options.onPayout(payout)
    if (fate < 0.15)
      return refusal(500, { error: true, message: 'trouble', request_id: 'r', status: 'TXN_NEW', ...naming })
    return ok({
      amount: amountText(habits.repliesPaidAmount ? payout.units : asked.units),
      currency: 'code',
      requires_approval: waits,
      status: 'Processing',
      wallet_address: asked.address,
      ...(habits.namesTransaction ? naming : {}),
    })
  }

  /** Makes a payout. The gateway may take a fee, cut or round, and spell the address differently. */
  #makePayout(asked: Asked, occasion: string): Movement {
    const { faults } = this.#options
    const uuid = uuidOf(`payout ${occasion}`)
    const chance = faults.details(`payout ${occasion}`)
    const { decimals } = currencyOfId(asked.currencyId)
    const least = smallest(decimals)
    const half = Math.floor(decimals / 2)
    const [fee, cut, rounded] = [
      asked.units - 3n * least,
      cutTo(asked.units, half),
      cutTo(asked.units, half) + smallest(half),
    ]
    const changed = faults.happens('payout_amount', occasion) ? chance.pick([fee, cut, rounded]) : asked.units
    const units = changed < least ? least : changed
    const address = faults.happens('payout_address', occasion) ? asked.address.toLowerCase() : asked.address
    const respelled = address !== asked.address
    const payout: Movement = {
      uuid,
      kind: 'payout',
      user: asked.user,
      merchant: OUR_MERCHANT,
      currency: currencyOfId(asked.currencyId),
      units,
      askedUnits: asked.units,
      listedUnits: null,
      status: 'new',
      hash: null,
      toAddress: address,
      insertedMs: this.now(),
      updatedMs: this.now(),
      askedBy: callKey(asked),
      respelled,
      ...(faults.happens('listed_type_odd', occasion) && { listedType: chance.pick(['PAYOUT', 'Withdrawal']) }),
    }
    this.add(payout)
    return payout
  }

  #paid(asked: string, occasion: string): string {
    return this.#options.faults.happens('purchase_over', occasion) ? amountText(2n * unitsOf(asked)) : asked
  }

  #pay(fields: Fields): Reply {
    const reference = text(fields['session_reference'])
    const user = text(fields['user_reference_id'])
    const chance = this.#options.faults.details(`purchase ${user} ${text(fields['amount'])}`)
    const currency = currencyOfId(text(fields['currency_id']))
    const purchase: Purchase = {
      uuid: uuidOf(`purchase ${reference}`),
      reference,
      madeMs: this.#options.clock.now(),
      correlationKey: `${OUR_MERCHANT}:${reference}`,
      user: this.#options.faults.happens('onramp_without_user', `${user} ${text(fields['amount'])}`) ? null : user,
      currency,
      paid: this.#paid(text(fields['amount']), `${user} ${text(fields['amount'])}`),
      units: cutTo(
        BigInt(chance.between(1_000_000, 40_000_000)) * BigInt(1e12 + chance.between(0, 999_999)),
        currency.decimals,
      ),
      hash: `0x${hashOf(reference).toString(16).padStart(8, '0')}${hashOf(`h${reference}`).toString(16).padStart(8, '0')}`,
    }
    this.#purchases.set(reference, purchase)
    this.#options.onPurchase(purchase)
    return ok({
      link: 'https://pay.example/widget',
      correlation_key: purchase.correlationKey,
      expires_at: null,
    })
  }
}
