import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { enabledCurrency } from '../currencies/find-currency.ts'
import { insertSession } from '../state/sessions.ts'
import { isCountry } from './countries.ts'
import { oneOf, text, userReference, uuid } from './fields.ts'
import { widgetLink } from './widget-link.ts'
import type { Invocation } from './operation.ts'
import { okReply, fieldErrors, validationErrorReply } from './reply.ts'
import type { Reply } from './reply.ts'

export const onrampUrlRequest = z.object({
  provider: text,
  currency_id: uuid,
  user_reference_id: userReference,
  country: text.refine(isCountry, 'is not an ISO 3166-1 alpha-2 country'),
  operation: text.refine((value) => value.toLowerCase() === 'deposit', 'must be deposit'),
  site: text,
  theme: oneOf(['light', 'dark']).default('dark'),
})

/** POST /v1/user/onramp/get_url. The user enters the amount in the widget; only the deposit sends events. */
export function getOnrampUrl({ body, merchant }: Invocation, context: Context): Reply {
  const parsed = onrampUrlRequest.safeParse(body)
  if (!parsed.success) return validationErrorReply(fieldErrors(parsed.error))
  const request = parsed.data
  if (!enabledCurrency(request.currency_id, context.modes.read().currency_list)?.onramp) {
    return validationErrorReply({ currency_id: ['is not enabled for the merchant'] })
  }
  const uuidOfSession = context.uuid()
  const session = insertSession(context.database, {
    uuid: uuidOfSession,
    link_token: randomBytes(18).toString('base64url'),
    kind: 'legacy',
    merchant_id: merchant.id,
    user_reference: request.user_reference_id,
    custom_wallet_address: null,
    correlation_key: `${merchant.id}:${uuidOfSession}`,
    session_reference: null,
    currency_id: request.currency_id,
    country: request.country,
    amount: null,
    fiat_currency: null,
    redirect_url: null,
    theme: request.theme,
    metadata_json: JSON.stringify({ provider: request.provider, site: request.site }),
    created_at: context.now(),
  })
  const reply = { success: true, data: { link: widgetLink(session.link_token, context) } }
  return okReply(reply, { committed: true, transactionUuid: session.uuid })
}
