/** What the page tells before a person acts: limits, fee, how long it takes, and a rate. */
import { isSameNetwork, settingOf } from '#lib/addresses/index.ts'
import type { Currency, Expectation, Rate, UsualTime } from '#lib/contract/cashier.ts'
import type { ToldLimits } from '#lib/contract/told-limits.ts'
import { amountLimits } from '../gateway/amount-limits.ts'
import { medianRate } from '../measures/rate.ts'
import { current, meaningOf, readSamples, withSamples, type Sample } from '../measures/samples.ts'
import { usualTime } from '../measures/usual-time.ts'
import type { CashierSession, Measure, MeasurementRow, Store, WithdrawalRow } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { listCurrencies } from './list-currencies.ts'

export interface ExpectationsOptions {
  readonly store: Pick<Store, 'measurements'>
  readonly currencies: CurrencyCache
  /** `WITHDRAWAL_LIMITS`. */
  readonly withdrawalLimits: ReadonlyMap<string, ToldLimits>
  /** `VALUES`: whether rates are told. */
  readonly values: boolean
  readonly clock: () => number
}

/** How long an instance shows what it has read. */
const FRESH_MS = 30_000

/** What is stored of one measure. */
interface Measured extends Pick<MeasurementRow, 'currency_id' | 'measure' | 'meaning'> {
  readonly samples: readonly Sample[]
}

const toMeasured = ({ samples, ...row }: MeasurementRow): Measured => ({ ...row, samples: readSamples(samples) })

type SamplesOf = (measure: Measure) => readonly Sample[]

const timeOf = (samples: readonly Sample[]): { readonly time?: UsualTime } => {
  const time = usualTime(samples)
  return time === null ? {} : { time }
}

/** What the merchant tells wins. */
const rateOf = (samplesOf: SamplesOf): Rate | null =>
  medianRate(samplesOf('told_rate')) ?? medianRate(samplesOf('rate'))

/** The settings; a limit that the gateway named since wins, because it decides. */
function limitsOf(told: ToldLimits, samplesOf: SamplesOf): ToldLimits {
  const [min, max] = (['amount_min', 'amount_max'] as const).map((measure) => samplesOf(measure).at(-1)?.value)
  return { ...told, ...(min !== undefined && { min }), ...(max !== undefined && { max }) } as ToldLimits
}

export function createExpectations({ store, currencies, withdrawalLimits, values, clock }: ExpectationsOptions) {
  let known: { readonly rows: Promise<readonly Measured[]>; readonly atMs: number } | null = null
  const rows = (): Promise<readonly Measured[]> => {
    const age = known === null ? Infinity : clock() - known.atMs
    if (known !== null && age >= 0 && age < FRESH_MS) return known.rows
    const reading = { rows: store.measurements.all().then((all) => all.map(toMeasured)), atMs: clock() }
    known = reading
    reading.rows.catch(() => {
      if (known === reading) known = null
    })
    return reading.rows
  }

  const expectationOf = (currency: Currency, of: readonly Measured[]): Expectation | null => {
    const meaning = meaningOf(currency)
    const samplesOf: SamplesOf = (measure) => {
      const row = of.find((one) => one.measure === measure && one.meaning === meaning)
      return row === undefined ? [] : current(measure, row.samples, clock())
    }
    const rate = values ? rateOf(samplesOf) : null
    const expectation: Expectation = {
      currency_id: currency.id,
      currency_code: currency.currency_code,
      network: currency.network,
      withdrawal: {
        ...limitsOf(settingOf(withdrawalLimits, currency, isSameNetwork) ?? {}, samplesOf),
        ...timeOf(samplesOf('payout_time')),
      },
      deposit: timeOf(samplesOf('deposit_time')),
      ...(rate !== null && { rate }),
    }
    const isEmpty = [expectation.withdrawal, expectation.deposit].every((part) => Object.keys(part).length === 0)
    return isEmpty && rate === null ? null : expectation
  }

  return {
    /** `GET /api/cashier/expectations`: of each currency of the session of which anything is known. */
    async list(session: CashierSession): Promise<readonly Expectation[]> {
      const [offered, measured] = await Promise.all([listCurrencies(currencies, session), rows()])
      const byCurrency = Map.groupBy(measured, ({ currency_id }) => currency_id)
      return offered.flatMap((currency) => expectationOf(currency, byCurrency.get(currency.id) ?? []) ?? [])
    },

    /** Reads the measurements again for the next call: another use case has changed them. */
    forget(): void {
      known = null
    },

    /** Remembers the limits that the gateway's refusal of a withdrawal named. */
    async noteRefusal(
      row: Pick<WithdrawalRow, 'currency_id' | 'currency_code' | 'network'>,
      error: unknown,
    ): Promise<void> {
      const { min, max } = amountLimits(error, row.currency_code)
      const of = { currency_id: row.currency_id, meaning: meaningOf(row), at_ms: clock() }
      const found = [
        ...(min === undefined ? [] : [{ ...of, measure: 'amount_min' as const, value: min }]),
        ...(max === undefined ? [] : [{ ...of, measure: 'amount_max' as const, value: max }]),
      ]
      if (found.length === 0) return
      await store.measurements.put(withSamples([], found, clock()))
      known = null
    },
  }
}
