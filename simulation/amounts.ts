/** Amounts as whole millionths: the oracle's own arithmetic, which shares nothing with the cashier's. */

const DIGITS = 6
const ONE = 10 ** DIGITS

/** `1500000` is `1.5`. */
export function amountText(units: number): string {
  const digits = String(Math.abs(units)).padStart(DIGITS + 1, '0')
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '')
  return `${units < 0 ? '-' : ''}${digits.slice(0, -DIGITS)}${fraction === '' ? '' : `.${fraction}`}`
}

/** Millionths of a decimal text. @throws RangeError if the amount has digits below a millionth */
export function unitsOf(text: string): number {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text)
  if (match === null) throw new RangeError(`not an amount: ${text}`)
  const [, sign = '', whole = '', fraction = ''] = match
  if (!/^0*$/.test(fraction.slice(DIGITS))) throw new RangeError(`finer than a millionth: ${text}`)
  const units = Number(whole) * ONE + Number(fraction.slice(0, DIGITS).padEnd(DIGITS, '0'))
  if (!Number.isSafeInteger(units)) throw new RangeError(`too large: ${text}`)
  return sign === '-' ? -units : units
}
