/** The names of a currency in a row or a fact. */
export interface NamedCurrency {
  readonly currency_id: string | null
  readonly currency_code: string
  readonly network: string
}

const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether both name the same currency: a gateway may give a currency a new id under the same code and network. */
export const isSameCurrency = (a: NamedCurrency, b: NamedCurrency): boolean =>
  (a.currency_id !== null && a.currency_id === b.currency_id) ||
  (sameText(a.currency_code, b.currency_code) && sameText(a.network, b.network))
