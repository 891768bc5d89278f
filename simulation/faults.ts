/** The possible faults. Each fault that happens has a name, so that a run can be repeated without it. */
import { Chance, hashOf } from './random.ts'

/** Kinds of faults, with the probability at each occasion. */
export const FAULT_KINDS = {
  /** A webhook never arrives. */
  webhook_lost: 0.04,
  /** No webhook of a transaction arrives. */
  webhooks_lost: 0.05,
  /** A webhook arrives long after it was signed: beyond the tolerance. */
  webhook_stale: 0.02,
  /** A webhook is repeated. */
  webhook_repeated: 0.08,
  /** A damaged copy of a webhook arrives before the webhook. */
  webhook_damaged: 0.03,
  /** A webhook is slow, so that a later one overtakes it. */
  webhook_slow: 0.15,
  /** A webhook repeats a status with another amount. */
  webhook_conflict: 0.01,
  /** The amount of a webhook passed through a double. */
  webhook_rounded: 0.1,
  /** The webhook and the list have different amounts. */
  list_conflict: 0.005,
  /** A signed JSON object that is no event. */
  webhook_unreadable: 0.01,
  /** A signed event with an undocumented status. */
  webhook_unknown: 0.01,
  /** A webhook names the currency and network differently from the list. */
  currency_renamed: 0.05,
  /** A message of the gateway spells its UUIDs in upper case. */
  id_case: 0.1,
  /** A call of the cashier does not reach the gateway. */
  call_lost: 0.03,
  /** The gateway's reply does not reach the cashier. */
  reply_lost: 0.04,
  /** The gateway's reply is cut, garbled, or a 5xx although the gateway did the work. */
  reply_damaged: 0.04,
  /** The page's request or its answer is lost. */
  page_lost: 0.03,
  /** A machine crashes after a few more steps. */
  crash: 0.5,
  /** A machine freezes inside a transaction, and goes on later; the database may have ended the transaction. */
  freeze: 0.5,
  /** A machine cannot reach its database for a while. */
  store_away: 0.3,
  /** One message to PostgreSQL is cut, held, or the server ends its connection meanwhile. */
  store_cut: 0.5,
  /** The gateway cannot be reached for a while. */
  gateway_away: 0.3,
  /** The merchant's backend does not answer, or answers 500. */
  merchant_away: 0.1,
  /** A machine's clock is wrong by minutes. */
  clock_skew: 0.3,
  /** A machine's clock is wrong by more than the tolerance, and the gateway's replies have no `Date`. */
  clock_without_date: 0.3,
  /** A machine's clock is an hour ahead. */
  clock_hour_ahead: 0.1,
  /** The gateway pays out net of a fee, cut, or rounded. */
  payout_amount: 0.1,
  /** The gateway spells the address differently. */
  payout_address: 0.1,
  /** The gateway changed a payout, and its reply does not name the payout. */
  payout_unlinkable: 1,
  /** Hours pass in the middle of the run. */
  quiet_hours: 0.4,
  /** A hash arrives only with a later status. */
  hash_late: 0.2,
  /** A hash arrives without `0x`. */
  hash_bare: 0.2,
  /** The list shows a hash some time after the status that brings it. */
  listed_hash_late: 0.1,
  /** The list spells a type in another case, or has another name for payouts. */
  listed_type_odd: 0.05,
  /** The list shows a deposit hours after its time. */
  listed_late: 0.05,
  /** A deposit fails, and succeeds later. */
  deposit_revived: 0.02,
  /** A user's list has the records of all users. */
  list_mixes_users: 0.03,
  /** An event of another merchant names one of our users. */
  stranger: 0.05,
  /** An on-ramp whose user is null. */
  onramp_without_user: 0.05,
  /** A user pays over a quarter more than the session's amount. */
  purchase_over: 0.05,
  /** A payout of our user that the cashier did not request. */
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
  /** Names of the faults that happened. */
  readonly happened = new Set<string>()
  /** Stops all faults, so that the world comes to rest. */
  over = false

  constructor(options: FaultOptions) {
    this.#options = options
  }

  /** Whether the fault happens at this occasion. Every run of a seed decides an occasion the same way. */
  happens(kind: FaultKind, occasion: string): boolean {
    const { seed, enabled, without, scale } = this.#options
    if (this.over || !enabled.has(kind)) return false
    const name = `${kind} ${occasion}`
    if (hashOf(`${seed}|${name}`) / 0x1_0000_0000 >= FAULT_KINDS[kind] * scale || without.has(name)) return false
    this.happened.add(name)
    return true
  }

  /** Random choices for the details of one occasion. */
  details(occasion: string): Chance {
    return new Chance(`${this.#options.seed}|details|${occasion}`)
  }
}
