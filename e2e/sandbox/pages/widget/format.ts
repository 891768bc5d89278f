/** A fiat amount with its sign; the decimal text is formatted as it is, never through a number. */
export function fiat(amount: string, currency: string): string {
  const digits = amount.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    maximumFractionDigits: Math.max(2, Math.min(digits, 20)),
  })
  return format.format(amount as Intl.StringNumericLiteral)
}

export const countryName = (code: string): string => new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code
