import type { Locale } from '#lib/contract/locales.ts'
import { intlTag } from './intl-locale.ts'

/** Each unit is used from this many seconds on. */
const UNITS = [
  ['day', 86_400, 129_600],
  ['hour', 3600, 5400],
  ['minute', 60, 90],
] as const

/** Seconds are told in steps of ten. */
const STEP_S = 10

/** A rounded duration such as "3 minutes". */
export function durationText(seconds: number, locale: Locale): string {
  const [unit, size] = UNITS.find(([, , from]) => seconds >= from) ?? (['second', 1] as const)
  const count = unit === 'second' ? Math.max(STEP_S, Math.round(seconds / STEP_S) * STEP_S) : Math.round(seconds / size)
  return new Intl.NumberFormat(intlTag(locale), { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
