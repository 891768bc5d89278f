/** How many digits after the decimal mark an amount of a fiat currency may have, as ISO 4217 says: 2 for EUR, 0 for JPY. */
export const fiatDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** A canonical decimal with at least the digits that the currency has: `1250.5` USD as `1250.50`. As it is for what is no code of three letters. */
export function withFiatDigits(decimal: string, currency: string): string {
  if (!/^[A-Za-z]{3}$/.test(currency)) return decimal
  const [whole = '', fraction = ''] = decimal.split('.')
  const padded = fraction.padEnd(fiatDigits(currency), '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** True where a canonical decimal has more digits than the currency. */
export const hasTooManyDigits = (decimal: string, currency: string): boolean =>
  (decimal.split('.')[1]?.length ?? 0) > fiatDigits(currency)
