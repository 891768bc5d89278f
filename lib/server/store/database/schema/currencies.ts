/** The currencies, and what was measured or told of each. */
import type { SqlBoolean } from '../../../ledger/rows.ts'

export interface CurrenciesTable {
  id: string
  currency_code: string
  name: string
  symbol: string
  network: string
  currency_icon: string | null
  network_icon: string | null
  /** 1 while it is offered; 0 if it is known from webhooks, was listed before, or `listed_as` is not null. */
  listed: SqlBoolean
  position: number
  updated_ms: number
  /** JSON: another currency that the gateway's list gave this id to, until it is taken (`readCurrencyList`). */
  listed_as: string | null
}

export type Measure = 'deposit_time' | 'payout_time' | 'rate' | 'told_rate' | 'amount_min' | 'amount_max'

/** What was measured or told of a currency (`measures/samples.ts`). No row concerns a user. */
export interface MeasurementsTable {
  currency_id: string
  measure: Measure
  /** Code and network of the currency: samples of another meaning of its id do not count. */
  meaning: string
  /** JSON */
  samples: string
  updated_ms: number
}
