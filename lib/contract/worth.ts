/** Products and quotients of decimals, for values in US dollars. Not in `money.ts`: the first page needs none. */
import { canonical, decimal, isPositive, type Decimal } from './money.ts'

const partsOf = (value: Decimal): { readonly units: bigint; readonly scale: number } => {
  const [whole = '', fraction = ''] = value.split('.')
  return { units: BigInt(whole + fraction), scale: fraction.length }
}

function fromUnits(units: bigint, scale: number): Decimal {
  const digits = units.toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return canonical(decimal(scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`))
}

/** The significant digits of a quotient. */
const DIGITS = 12

/** `a / b` for two amounts above zero, cut after twelve significant digits. */
export function divide(a: Decimal, b: Decimal): Decimal {
  const [over, under] = [partsOf(a), partsOf(b)]
  const shift = Math.max(0, DIGITS + String(under.units).length - String(over.units).length)
  const quotient = (over.units * 10n ** BigInt(shift)) / under.units
  const scale = over.scale - under.scale + shift
  const long = Math.max(0, String(quotient).length - DIGITS)
  const cut = (quotient / 10n ** BigInt(long)) * 10n ** BigInt(long)
  return scale >= 0 ? fromUnits(cut, scale) : fromUnits(cut * 10n ** BigInt(-scale), 0)
}

/** Two digits after the point, half a cent up. */
const CENTS = 2

/**
 * What an amount is worth at a rate, in US dollars with two digits after the point; null for nothing. An amount that is
 * worth less than a cent is `isLess` than 0.01.
 */
export function worthOf(
  amount: Decimal,
  usdForOne: Decimal,
): { readonly usd: Decimal; readonly isLess: boolean } | null {
  if (!isPositive(amount) || !isPositive(usdForOne)) return null
  const [one, rate] = [partsOf(amount), partsOf(usdForOne)]
  const unit = 10n ** BigInt(one.scale + rate.scale)
  const cents = (one.units * rate.units * 200n + unit) / (2n * unit)
  return cents === 0n ? { usd: decimal('0.01'), isLess: true } : { usd: withCents(cents), isLess: false }
}

const withCents = (cents: bigint): Decimal => {
  const digits = cents.toString().padStart(CENTS + 1, '0')
  return decimal(`${digits.slice(0, -CENTS)}.${digits.slice(-CENTS)}`)
}
