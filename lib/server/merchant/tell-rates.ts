import type { RatesRequest } from '#lib/contract/merchant-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { meaningOf, writeSamples } from '../measures/samples.ts'
import type { Store } from '../store/types.ts'

export interface ToldRates {
  readonly rates: Readonly<Record<string, string>>
  readonly told_at: string
}

/**
 * `PUT /api/merchant/rates`: the merchant's rates, in the place of all that it told before.
 * @param onTold called when they are stored
 * @throws Problem `invalid_request` for a currency that nobody knows
 */
export const createTellRates =
  (store: Pick<Store, 'transaction'>, onTold: () => void) =>
  async ({ rates }: RatesRequest): Promise<ToldRates> => {
    const told = await store.transaction(async (tx) => {
      const known = new Map((await tx.currencies.all()).map((currency) => [currency.id, currency]))
      const unknown = Object.keys(rates).filter((id) => !known.has(id))
      if (unknown.length > 0)
        throw new Problem('invalid_request', 'There is no such currency.', {
          errors: Object.fromEntries(unknown.map((id) => [`rates.${id}`, ['must be the id of a currency']])),
        })
      const rows = Object.entries(rates).flatMap(([currency_id, value]) => {
        const currency = known.get(currency_id)
        if (currency === undefined) return []
        const samples = writeSamples([{ at_ms: tx.now, value }])
        return [
          { currency_id, measure: 'told_rate' as const, meaning: meaningOf(currency), samples, updated_ms: tx.now },
        ]
      })
      const before = (await tx.measurements.all()).filter(({ measure }) => measure === 'told_rate')
      await tx.measurements.remove(
        'told_rate',
        before.map((row) => row.currency_id),
      )
      await tx.measurements.put(rows)
      return { rates, told_at: new Date(tx.now).toISOString() }
    })
    onTold()
    return told
  }
