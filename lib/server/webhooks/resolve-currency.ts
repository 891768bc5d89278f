import type { KnownCurrency } from '../store/port.ts'
import type { EventCurrency } from './parse-event.ts'

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * The currency that an on-ramp names in words: by code and network, by name where that leaves several; listed ones
 * before those that only webhooks told of. Null where none or several fit (contract section 6: `unknown_currency`).
 */
export function resolveWords(
  words: Extract<EventCurrency, { known: 'by_words' }>,
  currencies: readonly KnownCurrency[],
): KnownCurrency | null {
  const fits = currencies.filter(
    (currency) =>
      same(currency.currency_code, words.code) && (words.network === null || same(currency.network, words.network)),
  )
  const listed = fits.filter((currency) => currency.listed)
  const candidates = listed.length > 0 ? listed : fits
  if (candidates.length === 1) return candidates[0] ?? null
  const { name } = words
  const named = name === null ? [] : candidates.filter((currency) => same(currency.name, name))
  return named.length === 1 ? (named[0] ?? null) : null
}
