/** What may go wrong. Each fault that happens has a name, so that a run can be repeated without it. */
import { Chance, hashOf } from './random.ts'

/** Kinds of faults, each with the probability at each occasion. */
export const FAULT_KINDS = {
  /** A webhook never arrives. */
  webhook_lost: 0.04,
  /** No webhook of a transaction arrives. */
  webhooks_lost: 0.05,
  /** A webhook arrives long after it was signed: beyond the tolerance. */
  webhook_stale: 0.02,
  /** A webhook is repeated. */
  webhook_repeated: 0.08,
  /** A damaged copy of a webhook comes before it. */
  webhook_damaged: 0.03,
  /** A webhook takes some time, so that another one overtakes it. */
  webhook_slow: 0.15,
  /** A webhook says another amount under a status that was told before. */
  webhook_conflict: 0.01,
  /** The webhook's and the list's amount differ. */
  list_conflict: 0.005,
  /** A signed object that is not the envelope. */
  webhook_unreadable: 0.01,
  /** A signed event of a status that nobody documented. */
  webhook_unknown: 0.01,
  /** A webhook names the currency and its network otherwise than the list. */
  currency_renamed: 0.05,
  /** A call of ours does not reach the gateway. */
  call_lost: 0.03,
  /** The gateway's reply does not reach us. */
  reply_lost: 0.04,
  /** The gateway's reply is cut, garbled, or a 5xx after the work was done. */
  reply_damaged: 0.04,
  /** The page's request or its answer is lost. */
  page_lost: 0.03,
  /** A machine crashes after some more steps. */
  crash: 0.5,
  /** A machine's database is away for a while. */
  store_away: 0.3,
  /** The gateway cannot be reached for a while. */
  gateway_away: 0.3,
  /** The merchant's backend answers nothing or 500. */
  merchant_away: 0.1,
  /** A machine's clock is wrong by minutes. */
  clock_skew: 0.3,
  /** A machine's clock is wrong by more than the tolerance, and the gateway's replies have no `Date`. */
  clock_without_date: 0.3,
  /** A machine's clock is an hour ahead. */
  clock_hour_ahead: 0.1,
  /** The gateway pays out net of a fee, cut, or rounded. */
  payout_amount: 0.1,
  /** The gateway spells the address otherwise. */
  payout_address: 0.1,
  /** A payout that the gateway changed, and whose accepted reply does not tell which one it is. */
  payout_unlinkable: 1,
  /** Hours pass in the middle, so that nobody was here for long. */
  quiet_hours: 0.4,
  /** A hash comes only with a later status. */
  hash_late: 0.2,
  /** A hash is told without `0x`. */
  hash_bare: 0.2,
  /** The list tells a hash only some time after the status that has it. */
  listed_hash_late: 0.1,
  /** The list spells a type in another case, or calls a payout by another name. */
  listed_type_odd: 0.05,
  /** A user's list has the records of all users. */
  list_mixes_users: 0.03,
  /** Another merchant's event comes under the name of our user. */
  stranger: 0.05,
  /** An on-ramp whose user is null. */
  onramp_without_user: 0.05,
  /** A payout of our user that we did not ask for. */
  payout_unasked: 0.02,
} as const satisfies Record<string, number>

export type FaultKind = keyof typeof FAULT_KINDS

export interface FaultOptions {
  readonly seed: string
  readonly enabled: ReadonlySet<FaultKind>
  /** Names of faults that do not happen in this run. */
  readonly without: ReadonlySet<string>
  /** Multiplies every probability. */
  readonly scale: number
}

export class Faults {
  readonly #options: FaultOptions
  /** The names of those that happened. */
  readonly happened = new Set<string>()
  /** No more faults: the world comes to rest. */
  over = false

  constructor(options: FaultOptions) {
    this.#options = options
  }

  /** Whether the fault happens at this occasion. The same occasion is decided alike in every run of the seed. */
  happens(kind: FaultKind, occasion: string): boolean {
    const { seed, enabled, without, scale } = this.#options
    if (this.over || !enabled.has(kind)) return false
    const name = `${kind} ${occasion}`
    if (hashOf(`${seed}|${name}`) / 0x1_0000_0000 >= FAULT_KINDS[kind] * scale || without.has(name)) return false
    this.happened.add(name)
    return true
  }

  /** Chance for the details of one occasion. */
  details(occasion: string): Chance {
    return new Chance(`${this.#options.seed}|details|${occasion}`)
  }
}
