import { currencyById } from '../currencies/find-currency.ts'
import { jsonNumberOrNull } from '../money/json-text.ts'
import type { OnrampSession } from '../state/sessions.ts'

/** Spec, Events: the payload of `User Onramp` for the session's current status. */
export function onrampEvent(session: OnrampSession) {
  const currency = currencyById(session.currency_id)
  return {
    event: 'User Onramp',
    transaction: {
      id: session.uuid,
      status: session.status,
      transaction_type: 'onramp',
      date: new Date(session.updated_at).toISOString(),
      provider_transaction_id: session.provider_transaction_id,
      tx_hash: session.tx_hash,
      to_amount: jsonNumberOrNull(session.to_amount),
      to_currency: { code: currency.code, name: currency.name, network: currency.network },
      from_amount: jsonNumberOrNull(session.from_amount),
      from_currency: session.from_currency,
    },
    transaction_uuid: session.uuid,
    user_reference: session.user_reference,
    payment_method: session.payment_method,
    correlation_key: session.correlation_key,
    session_reference: session.session_reference,
  }
}
