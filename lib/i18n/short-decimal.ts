/** Shortens amounts of crypto currencies for display. */

/** Removes trailing zeros: `84.240000` is `84.24`. Text that is not a plain decimal is returned unchanged. */
export function withoutTrailingZeros(value: string): string {
  if (!/^-?\d+\.\d+$/.test(value)) return value
  let end = value.length
  while (value[end - 1] === '0') end -= 1
  return value.slice(0, value[end - 1] === '.' ? end - 1 : end)
}

const SHORT_DECIMALS = 8

export interface ShortDecimal {
  readonly value: string
  /** `<`: the amount is less than `value`, the smallest amount shown. `…`: more digits follow. */
  readonly mark: '' | '<' | '\u2026'
}

/** Cuts to eight decimals and never rounds up, for places where one press shows the exact amount. */
export function shortDecimal(value: string): ShortDecimal {
  const match = /^(-?\d+)\.(\d+)$/.exec(value)
  const [, whole = '', fraction = ''] = match ?? []
  if (fraction.length <= SHORT_DECIMALS) return { value, mark: '' }
  const kept = fraction.slice(0, SHORT_DECIMALS)
  const isWhole = !/[1-9]/.test(fraction.slice(SHORT_DECIMALS))
  if (isWhole) return { value: withoutTrailingZeros(`${whole}.${kept}`), mark: '' }
  if (/^0+$/.test(whole + kept)) return { value: `0.${'1'.padStart(SHORT_DECIMALS, '0')}`, mark: '<' }
  return { value: `${whole}.${kept}`, mark: '\u2026' }
}
