/** Checks the options of the merchant's page and calls its function for a launch token. */
import { LANGUAGE_TAG, THEME, TOKEN } from '#lib/contract/embed-limits.ts'
import type { CashierAppearance, CashierOptions } from '../../../public/embed.d.ts'

const assertOption = (condition: boolean, message: string): void => {
  if (!condition) throw new TypeError(`Cashier: ${message}`)
}

/** Without `instanceof`, which fails for elements of another window. */
const isElement = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'nodeType' in value && value.nodeType === 1

/** The given language and theme, checked. @throws TypeError */
export function readAppearance({ locale, theme }: CashierAppearance): {
  locale?: string
  theme?: 'light' | 'dark' | 'auto'
} {
  const tag = locale?.replaceAll('_', '-')
  assertOption(tag === undefined || LANGUAGE_TAG.test(tag), "locale must be a language tag such as 'de' or 'pt-BR'")
  assertOption(theme === undefined || THEME.test(theme), "theme must be 'light', 'dark' or 'auto'")
  return { ...(tag !== undefined && { locale: tag }), ...(theme !== undefined && { theme }) }
}

/** @throws TypeError if a call of `mount` could not work */
export function checkOptions(target: unknown, { fetchLaunchToken, onEvent, onFile, onLink }: CashierOptions): void {
  assertOption(typeof target === 'string' || isElement(target), 'the target must be an element or a selector')
  assertOption(
    typeof fetchLaunchToken === 'function',
    'fetchLaunchToken must be a function that returns a promise of a token',
  )
  for (const [name, option] of Object.entries({ onEvent, onFile, onLink }))
    assertOption(!option || typeof option === 'function', `${name} must be a function`)
}

/** A token from the merchant's function, or what went wrong. Never rejects. */
export async function requestLaunchToken(
  fetchLaunchToken: CashierOptions['fetchLaunchToken'],
): Promise<{ readonly token: string } | { readonly fault: string }> {
  try {
    const token: unknown = await fetchLaunchToken()
    return typeof token === 'string' && TOKEN.test(token)
      ? { token }
      : { fault: 'fetchLaunchToken did not return a launch token' }
  } catch (error) {
    return { fault: `fetchLaunchToken failed: ${error instanceof Error ? error.message : String(error)}` }
  }
}
