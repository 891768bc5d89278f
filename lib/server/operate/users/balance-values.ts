import type { UserView } from '#lib/contract/operate/users.ts'
import type { Decimal } from '#lib/contract/money.ts'
import { worthOf } from '#lib/contract/worth.ts'
import { medianRate } from '../../measures/rate.ts'
import { current, meaningOf, readSamples } from '../../measures/samples.ts'
import type { MeasurementRow } from '../../store/types.ts'

type Value = UserView['balances'][number]['value']

/** What a balance is worth by the rate that the merchant told, else by the gateway's; null without a rate. */
export function balanceValue(
  { available, held }: { readonly available: Decimal; readonly held: Decimal },
  currency: { readonly currency_id: string; readonly currency_code: string; readonly network: string },
  measurements: readonly MeasurementRow[],
  nowMs: number,
): Value {
  const samplesOf = (measure: 'told_rate' | 'rate') =>
    measurements
      .filter((row) => row.measure === measure && row.currency_id === currency.currency_id)
      .filter((row) => row.meaning === meaningOf(currency))
      .flatMap((row) => current(measure, readSamples(row.samples), nowMs))
  const rate = medianRate(samplesOf('told_rate')) ?? medianRate(samplesOf('rate'))
  if (rate === null) return null
  const usd = (amount: Decimal): string => worthOf(amount, rate.usd as Decimal)?.usd ?? '0'
  return { available: usd(available), held: usd(held), at: rate.at }
}
