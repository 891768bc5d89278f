/** A decimal as an integer and the count of its fractional digits. No `number` ever holds an amount. */
interface Parts {
  readonly units: bigint
  readonly scale: number
}

const PLAIN = /^(\d{1,200})(?:\.(\d{1,200}))?$/

function parts(text: string): Parts {
  const match = PLAIN.exec(text)
  if (!match) throw new RangeError(`not a plain decimal: ${text.slice(0, 40)}`)
  const [, whole = '0', fraction = ''] = match
  return { units: BigInt(whole + fraction), scale: fraction.length }
}

function text({ units, scale }: Parts): string {
  const digits = units.toString().padStart(scale + 1, '0')
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** True for digits with an optional fraction: no sign, exponent, grouping or bare point. */
export const isPlainDecimal = (value: string): boolean => PLAIN.test(value)

export const isAboveZero = (value: string): boolean => isPlainDecimal(value) && parts(value).units > 0n

/** Negative, zero or positive, by value. */
export function compareDecimals(a: string, b: string): number {
  const left = parts(a)
  const right = parts(b)
  const scale = Math.max(left.scale, right.scale)
  const difference = left.units * 10n ** BigInt(scale - left.scale) - right.units * 10n ** BigInt(scale - right.scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The text without leading zeros; every fractional digit stays. The result is a valid JSON number. */
export const asNumberText = (value: string): string => text(parts(value))

/** `a * b`, cut (not rounded) to `places` fractional digits. */
export function multiply(a: string, b: string, places: number): string {
  const left = parts(a)
  const right = parts(b)
  return cut({ units: left.units * right.units, scale: left.scale + right.scale }, places)
}

/** `a / b`, cut (not rounded) to `places` fractional digits. */
export function divide(a: string, b: string, places: number): string {
  const left = parts(a)
  const right = parts(b)
  if (right.units === 0n) throw new RangeError('division by zero')
  const shift = places + right.scale
  return text({ units: (left.units * 10n ** BigInt(shift)) / (right.units * 10n ** BigInt(left.scale)), scale: places })
}

/** `1.500` as `1.5`, `100` as it is. */
export function withoutTrailingZeros(value: string): string {
  if (!value.includes('.')) return value
  let end = value.length
  while (value[end - 1] === '0') end -= 1
  return value.slice(0, value[end - 1] === '.' ? end - 1 : end)
}

function cut(value: Parts, places: number): string {
  if (value.scale <= places) return text(value)
  return text({ units: value.units / 10n ** BigInt(value.scale - places), scale: places })
}
