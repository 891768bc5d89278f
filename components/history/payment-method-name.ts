import type { MessageKey } from '#lib/i18n/translator.ts'

/** Payment methods with a name in each language (docs/internal/gateway-assumptions.md, "On-ramp"). */
const NAMES: ReadonlyMap<string, MessageKey> = new Map([
  ['CARD', 'method.card'],
  ['CREDIT_CARD', 'method.card'],
  ['DEBIT_CARD', 'method.card'],
  ['CREDIT_DEBIT_CARD', 'method.card'],
])

/** The payment method of a purchase as the user reads it. A method without a name of ours keeps the gateway's name. */
export function paymentMethodName(method: string, t: (key: MessageKey) => string): string {
  const name = NAMES.get(method.toUpperCase())
  return name === undefined ? method.replaceAll('_', ' ') : t(name)
}
