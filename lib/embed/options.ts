import type { CashierLooks, CashierOptions } from '../../public/embed.d.ts'

const must = (condition: boolean, words: string): void => {
  if (!condition) throw new TypeError(`Cashier: ${words}`)
}

/** Not by `instanceof`, which knows the elements of this window only. */
const isElement = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'nodeType' in value && value.nodeType === 1

/** Only what was said of looks, checked. @throws TypeError */
export function readLooks({ locale, theme }: CashierLooks): { locale?: string; theme?: 'light' | 'dark' | 'auto' } {
  const tag = locale?.replaceAll('_', '-')
  must(tag === undefined || /^[A-Za-z0-9-]{1,35}$/.test(tag), "locale is a language tag such as 'de' or 'pt-BR'")
  must(theme === undefined || ['light', 'dark', 'auto'].includes(theme), "theme is 'light', 'dark' or 'auto'")
  return { ...(tag !== undefined && { locale: tag }), ...(theme !== undefined && { theme }) }
}

/** @throws TypeError where a call of `mount` could not work */
export function checkOptions(target: unknown, { fetchLaunchToken, onEvent }: CashierOptions): void {
  must(typeof target === 'string' || isElement(target), 'the target is an element or a selector')
  must(typeof fetchLaunchToken === 'function', 'fetchLaunchToken is a function that gives a promise of a token')
  must(!onEvent || typeof onEvent === 'function', 'onEvent is a function')
}
