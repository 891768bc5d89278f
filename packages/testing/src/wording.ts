/** The cashier's texts, and patterns that match the texts with any values. */
import { TEXTS, type CashierLocale, type CashierTextKey } from './texts.ts'

export interface Wording {
  /** The text as the page shows it, with `values` in place of the names in braces. */
  text(key: CashierTextKey, values?: Readonly<Record<string, string>>): string
  /** Matches the whole text. A value that is not given matches anything. */
  pattern(key: CashierTextKey, values?: Readonly<Record<string, string>>): RegExp
}

const PLACE = /\{(\w+)\}/

export const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** @throws RangeError for a language that the cashier does not support */
export function wordingOf(locale: CashierLocale): Wording {
  // A locale may come from a setting that the compiler has not checked.
  const texts = (TEXTS as Partial<typeof TEXTS>)[locale]
  if (!texts) throw new RangeError(`the cashier has no language ${locale}; it has ${Object.keys(TEXTS).join(', ')}`)
  return {
    text: (key, values = {}) =>
      texts[key].replaceAll(new RegExp(PLACE, 'g'), (place, name: string) => values[name] ?? place),
    pattern: (key, values = {}) => {
      // The names have odd indexes.
      const parts = texts[key].split(PLACE).map((part, at) => {
        // Drivers turn white space in an element's name into one plain space, but keep a no-break space in an element's
        // text.
        if (at % 2 === 0) return literally(part).replaceAll(/\s+/g, '\\s+')
        const value = values[part]
        return value === undefined ? '.+' : literally(value)
      })
      return new RegExp(`^${parts.join('')}$`, 's')
    },
  }
}
