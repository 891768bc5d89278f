/** Amounts as whole multiples of 10^-18: the oracle's own arithmetic, which shares nothing with the cashier's. */

/** A whole number of the smallest parts of any currency. */
export type Units = bigint

const DIGITS = 18

/** `1500000000000000000n` is `1.5`. */
export function amountText(units: Units): string {
  const digits = String(units < 0n ? -units : units).padStart(DIGITS + 1, '0')
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -DIGITS)}${fraction === '' ? '' : `.${fraction}`}`
}

/** The units of a decimal text. @throws RangeError if the amount has digits below 10^-18 */
export function unitsOf(text: string): Units {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text)
  if (match === null) throw new RangeError(`not an amount: ${text}`)
  const [, sign = '', whole = '', fraction = ''] = match
  if (!/^0*$/.test(fraction.slice(DIGITS))) throw new RangeError(`too fine: ${text}`)
  const units = BigInt(`${whole}${fraction.slice(0, DIGITS).padEnd(DIGITS, '0')}`)
  return sign === '-' ? -units : units
}

/** The smallest amount of a currency with so many decimals. */
export const smallest = (decimals: number): Units => 10n ** BigInt(DIGITS - decimals)

/** A difference that shows even where an amount passed through a double. */
export const visible = (decimals: number): Units => smallest(Math.min(decimals, 6))

/** The amount, cut to so many decimals. */
export const cutTo = (units: Units, decimals: number): Units => units - (units % smallest(decimals))

/**
 * An amount's digits after they have passed through a double, as a gateway may send them in a JSON number. Below a
 * millionth the text has an exponent.
 */
export const asDouble = (digits: string): string => String(Number(digits))
