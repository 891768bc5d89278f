/** The number of digits after the decimal mark that ISO 4217 allows for a fiat currency: 2 for EUR, 0 for JPY. */
export const fiatDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Pads a canonical decimal to the currency's digits: `1250.5` USD is `1250.50`. Only for codes of three letters. */
export function withFiatDigits(decimal: string, currency: string): string {
  if (!/^[A-Za-z]{3}$/.test(currency)) return decimal
  const [whole = '', fraction = ''] = decimal.split('.')
  const padded = fraction.padEnd(fiatDigits(currency), '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** True if a canonical decimal has more fractional digits than the currency. */
export const hasTooManyDigits = (decimal: string, currency: string): boolean =>
  (decimal.split('.')[1]?.length ?? 0) > fiatDigits(currency)
