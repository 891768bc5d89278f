/** The cashier's texts, and patterns that fit what it makes of them. */
import { TEXTS, type CashierLocale, type CashierTextKey } from './texts.ts'

export interface Wording {
  /** The text as the page shows it, with `values` for what stands in braces. */
  text(key: CashierTextKey, values?: Readonly<Record<string, string>>): string
  /** Fits the whole text, with anything for a value that is not given. */
  pattern(key: CashierTextKey, values?: Readonly<Record<string, string>>): RegExp
}

const PLACE = /\{(\w+)\}/

export const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** @throws RangeError for a language that the cashier does not have */
export function wordingOf(locale: CashierLocale): Wording {
  // A locale may come from a setting that no compiler has seen.
  const texts = (TEXTS as Partial<typeof TEXTS>)[locale]
  if (!texts) throw new RangeError(`the cashier has no language ${locale}; it has ${Object.keys(TEXTS).join(', ')}`)
  return {
    text: (key, values = {}) =>
      texts[key].replaceAll(new RegExp(PLACE, 'g'), (place, name: string) => values[name] ?? place),
    pattern: (key, values = {}) => {
      // Names stand at the odd places.
      const parts = texts[key].split(PLACE).map((part, at) => {
        // Drivers make one plain space of white space in an element's name; a no-break space stays in what they read.
        if (at % 2 === 0) return literally(part).replaceAll(/\s+/g, '\\s+')
        const value = values[part]
        return value === undefined ? '.+' : literally(value)
      })
      return new RegExp(`^${parts.join('')}$`, 's')
    },
  }
}
