import { z } from 'zod'
import type { Context } from '../context.ts'
import { enabledCurrency } from '../currencies/find-currency.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { createSession, expiryOf } from '../lifecycle/onramp.ts'
import { widgetLink } from './widget-link.ts'
import { isCountry, isFiatCurrency } from './countries.ts'
import { amount, oneOf, text, userReference, uuid, webAddress } from './fields.ts'
import type { Invocation } from './operation.ts'
import { okReply, fieldErrors, validationErrorReply, errorReply } from './reply.ts'
import type { FieldErrors, Reply } from './reply.ts'

const country = text.refine(isCountry, 'is not an ISO 3166-1 alpha-2 country')

/** Rule 1: always required. */
const alwaysFields = { payment_type: oneOf(['ON_RAMP', 'OFF_RAMP']), country, currency_id: uuid }

/** Rule 2: required for ON_RAMP as well. */
export const paymentSessionRequest = z.object({
  ...alwaysFields,
  amount,
  fiat_currency: text.refine(isFiatCurrency, 'is not an ISO 4217 currency'),
  redirect_url: webAddress,
  user_reference_id: userReference.optional(),
  custom_wallet_address: text.optional(),
  session_reference: text.optional(),
  metadata: z.record(z.string(), z.unknown(), 'must be an object').optional(),
  theme: oneOf(['light', 'dark']).default('dark'),
})

const alwaysSchema = z.object(alwaysFields)

/**
 * Rules that depend on several fields (3), and whether the provider sells the currency. If the merchant may not use
 * custom wallets, the address does not matter (4).
 */
function furtherErrors({ body, merchant }: Invocation, context: Context): FieldErrors {
  const errors: Record<string, readonly string[]> = {}
  if (body['user_reference_id'] === undefined && body['custom_wallet_address'] === undefined) {
    errors['user_reference_id'] = ['is required']
  }
  const { success, data } = uuid.safeParse(body['currency_id'])
  const currency = success ? enabledCurrency(data, context.modes.read().currency_list) : null
  if (success && !currency?.onramp) errors['currency_id'] = ['is not enabled for the merchant']
  const wallet = merchant.allow_custom_external_wallet ? body['custom_wallet_address'] : undefined
  if (typeof wallet === 'string' && currency && !NETWORKS[currency.network].encoding.isValid(wallet)) {
    errors['custom_wallet_address'] = [`is not a valid ${currency.network} address`]
  }
  return errors
}

/** POST /v1/user/payments, with its six rules. */
export function createPaymentSession(invocation: Invocation, context: Context): Reply {
  const { body, merchant, requestId } = invocation
  const always = alwaysSchema.safeParse(body)
  if (body['payment_type'] !== 'ON_RAMP') {
    if (!always.success) return validationErrorReply(fieldErrors(always.error))
    return errorReply(501, 'payment type not available', requestId)
  }
  const parsed = paymentSessionRequest.safeParse(body)
  const errors = { ...furtherErrors(invocation, context), ...(parsed.success ? {} : fieldErrors(parsed.error)) }
  if (!parsed.success || Object.keys(errors).length > 0) return validationErrorReply(errors)
  const request = parsed.data
  if (request.custom_wallet_address !== undefined && !merchant.allow_custom_external_wallet) {
    return errorReply(403, 'custom_wallet_not_allowed_for_merchant', requestId)
  }

  const session = createSession(context, {
    merchant_id: merchant.id,
    user_reference: request.user_reference_id ?? null,
    custom_wallet_address: request.custom_wallet_address ?? null,
    session_reference: request.session_reference ?? null,
    currency_id: request.currency_id,
    country: request.country,
    amount: request.amount,
    fiat_currency: request.fiat_currency,
    redirect_url: request.redirect_url,
    theme: request.theme,
    metadata_json: JSON.stringify(request.metadata ?? {}),
  })
  const link = widgetLink(session.link_token, context)
  const expiry = expiryOf(context, session)
  const expires_at = expiry === null ? null : new Date(expiry).toISOString()
  const reply = { link, correlation_key: session.correlation_key, expires_at }
  return okReply(reply, { committed: true, transactionUuid: session.uuid })
}
