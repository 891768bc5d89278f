/**
 * Amounts of money as decimal strings. No `number` is involved anywhere: a decimal is an integer
 * (`units`) and the count of its fractional digits (`scale`), so sums and comparisons are exact.
 */
declare const decimalBrand: unique symbol

/** A plain decimal such as `0.000000000000000001` or `-12.50`: optional minus, digits, optional fraction. */
export type Decimal = string & { readonly [decimalBrand]: true }

export const ZERO = '0' as Decimal

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)0*(0|[1-9]\d*))?$/

/** The most digits of an exponent. With more, a few characters could become megabytes of digits. */
const MOST_EXPONENT_DIGITS = 3

/** The most digits of an amount from outside: arithmetic on a megabyte of them takes a second. */
export const LONGEST_AMOUNT = 2048

interface Parts {
  readonly units: bigint
  readonly scale: number
}

/** True for a plain decimal without exponent, plus sign, or grouping. */
export const isDecimal = (text: string): text is Decimal => PLAIN.test(text)

/** Reads a plain decimal. @throws RangeError with the text if it is not one */
export function decimal(text: string): Decimal {
  if (!isDecimal(text)) throw new RangeError(`not a plain decimal: ${text.slice(0, 40)}`)
  return text
}

/**
 * Reads a JSON number's own text (`1.50`, `1e-18`) as a plain decimal without losing a digit.
 * Fractional zeros are kept. Null if the text is not a JSON number, or if its exponent has more than three digits after
 * leading zeros, or if it has more digits than `LONGEST_AMOUNT`. Zero with such an exponent is `0`.
 */
export function decimalFromNumberText(text: string): Decimal | null {
  const match = NUMBER.exec(text)
  if (!match) return null
  const [, sign = '', whole = '0', fraction = '', direction = '', exponent] = match
  const digits = whole + fraction
  if (digits.length > LONGEST_AMOUNT) return null
  if (exponent === undefined) return decimal(fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`)
  if (exponent.length > MOST_EXPONENT_DIGITS) return /[1-9]/.test(digits) ? null : ZERO
  const shift = Number.parseInt(direction + exponent, 10)
  const point = whole.length + shift
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const head = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const tail = padded.slice(at)
  if (head.length + tail.length > LONGEST_AMOUNT) return null
  return decimal(sign + head + (tail === '' ? '' : `.${tail}`))
}

/** A test without captures, and one conversion: each webhook needs thirty of these. */
function parts(value: Decimal): Parts {
  decimal(value)
  const point = value.indexOf('.')
  if (point < 0) return { units: BigInt(value), scale: 0 }
  return { units: BigInt(value.slice(0, point) + value.slice(point + 1)), scale: value.length - point - 1 }
}

function render({ units, scale }: Parts): Decimal {
  const negative = units < 0n
  const digits = (negative ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`
  return decimal(`${negative ? '-' : ''}${whole}${fraction}`)
}

function aligned(a: Decimal, b: Decimal): { a: bigint; b: bigint; scale: number } {
  const left = parts(a)
  const right = parts(b)
  if (left.scale === right.scale) return { a: left.units, b: right.units, scale: left.scale }
  const scale = Math.max(left.scale, right.scale)
  return {
    a: left.units * 10n ** BigInt(scale - left.scale),
    b: right.units * 10n ** BigInt(scale - right.scale),
    scale,
  }
}

/** Exact sum; the result has as many fractional digits as the longer fraction. */
export function add(a: Decimal, b: Decimal): Decimal {
  const both = aligned(a, b)
  return render({ units: both.a + both.b, scale: both.scale })
}

/** Exact difference `a - b`. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  const both = aligned(a, b)
  return render({ units: both.a - both.b, scale: both.scale })
}

/** The same amount with the other sign; zero stays zero. */
export function negate(value: Decimal): Decimal {
  const { units, scale } = parts(value)
  return render({ units: -units, scale })
}

/** -1, 0 or 1, by value: `1.0` equals `1`. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const both = aligned(a, b)
  return both.a < both.b ? -1 : both.a > both.b ? 1 : 0
}

export const equals = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0
/** Whether a program that keeps amounts as binary floating point could not tell them apart; false beyond its range. */
export const equalAsDoubles = (a: Decimal, b: Decimal): boolean => Number(a) === Number(b) && Number.isFinite(Number(a))
export const isZero = (value: Decimal): boolean => parts(value).units === 0n
export const isNegative = (value: Decimal): boolean => parts(value).units < 0n
export const isPositive = (value: Decimal): boolean => parts(value).units > 0n

const CANONICAL = /^(?:0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d*[1-9])?)$/

/** One spelling for each value: no trailing fractional zeros, no leading zeros, no negative zero. */
export function canonical(value: Decimal): Decimal {
  if (CANONICAL.test(value)) return value
  const point = value.indexOf('.')
  if (point < 0) return render(parts(value))
  let end = value.length
  while (value[end - 1] === '0') end -= 1
  return render(parts(decimal(value.slice(0, end === point + 1 ? point : end))))
}

/** The sum of any number of amounts; `0` without amounts. */
export const sum = (values: Iterable<Decimal>): Decimal => {
  let total: Decimal = ZERO
  for (const value of values) total = add(total, value)
  return total
}

/** What is wrong with a withdrawal's amount. */
export type AmountFault = 'not_a_decimal' | 'not_positive' | 'too_many_digits' | 'too_many_fractional_digits'

const MAX_WHOLE_DIGITS = 60
const MAX_FRACTIONAL_DIGITS = 30

/**
 * A payable amount: a plain decimal above zero without leading zeros, at most 60 digits before the point and 30 after.
 */
export function amountFault(text: string): AmountFault | null {
  const match = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text)
  if (!match) return 'not_a_decimal'
  const [, whole = '', fraction = ''] = match
  if (whole.length > MAX_WHOLE_DIGITS) return 'too_many_digits'
  if (fraction.length > MAX_FRACTIONAL_DIGITS) return 'too_many_fractional_digits'
  return isPositive(decimal(text)) ? null : 'not_positive'
}
