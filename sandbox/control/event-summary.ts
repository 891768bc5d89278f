import { findCurrency } from '../currencies/find-currency.ts'

/** User and content of an event or a call, as far as it has them. Amounts keep every digit. */
export interface Summary {
  readonly user: string | null
  /** Such as `25 USDT on Tron`, or `150.00 EUR for BTC on Bitcoin`; empty if there is no amount. */
  readonly what: string
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown

/** JSON with each number as its source text (the reviver's `source` is not yet in TypeScript's library). */
function parseExactly(text: string): unknown {
  const exact: Reviver = (_input, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value)
  try {
    return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1])
  } catch {
    return null
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const joined = (...parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join(' ')

function currencyOf(value: unknown): string | null {
  const { currency_code, code, network } = fieldsOf(value)
  const name = textOf(currency_code) ?? textOf(code)
  return name === null ? null : joined(name, textOf(network) && 'on', textOf(network))
}

/** The amount of one side, and of the other side of a purchase. */
const bothSides = (crypto: string, fiat: string): string =>
  crypto === '' ? fiat : fiat === '' ? crypto : `${crypto} for ${fiat}`

/** Summarizes the body of a webhook: a deposit, a payout or an on-ramp event. */
export function eventSummary(body: string): Summary {
  const event = fieldsOf(parseExactly(body))
  const { amount, currency, to_amount, to_currency, from_amount, from_currency } = fieldsOf(event['transaction'])
  const fiat = textOf(from_amount)
  return {
    user: textOf(event['user_reference']),
    what: bothSides(
      joined(textOf(amount) ?? textOf(to_amount), currencyOf(currency) ?? currencyOf(to_currency)),
      fiat === null ? '' : joined(fiat, textOf(from_currency)),
    ),
  }
}

/** Summarizes the body of a gateway call, which has a currency id. */
export function callSummary(body: string): string {
  const { amount, currency_id, fiat_currency } = fieldsOf(parseExactly(body))
  const id = textOf(currency_id)
  const crypto = id === null ? null : currencyOf(findCurrency({ id }))
  const fiat = textOf(fiat_currency)
  return fiat === null ? joined(textOf(amount), crypto) : bothSides(crypto ?? '', joined(textOf(amount), fiat))
}
