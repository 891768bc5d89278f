import { z } from 'zod'
import type { Context } from '../context.ts'
import { currencyById } from '../currencies/find-currency.ts'
import { advanceSession, createSession, requireSession } from '../lifecycle/onramp.ts'
import { isCountry, isFiatCurrency } from '../operations/countries.ts'
import { amount, text, userReference, webAddress } from '../operations/fields.ts'
import { widgetLink } from '../operations/widget-link.ts'
import { SESSION_STATUSES, listSessions } from '../state/sessions.ts'
import type { OnrampSession } from '../state/sessions.ts'
import { requireCurrency } from './require-currency.ts'
import { requireMerchant } from './require-merchant.ts'
import { limit, noInput, route } from './route.ts'

const STEPS = SESSION_STATUSES.filter((status) => status !== 'created')

export const purchaseSchema = z.strictObject({
  user_reference: userReference,
  merchant_id: text.optional(),
  currency_id: text.optional(),
  currency: text.optional(),
  network: text.optional(),
  /** What the user pays, in `fiat_currency`. */
  amount,
  fiat_currency: text.refine(isFiatCurrency, 'is not an ISO 4217 currency').default('EUR'),
  country: text.refine(isCountry, 'is not an ISO 3166-1 alpha-2 country').default('DE'),
  session_reference: text.optional(),
  redirect_url: webAddress.optional(),
})

export const detailsSchema = z.strictObject({
  payment_method: text.optional(),
  from_amount: amount.optional(),
  from_currency: text.optional(),
  to_amount: amount.optional(),
  deposit_amount: amount.optional(),
  tx_hash: text.optional(),
})

function shown({ link_token, metadata_json, seq: _seq, ...session }: OnrampSession, context: Context) {
  const { code, network } = currencyById(session.currency_id)
  const metadata: unknown = JSON.parse(metadata_json)
  return { ...session, currency: code, network, metadata, link: widgetLink(link_token, context) }
}

export const onrampRoutes = [
  route(
    'GET',
    '/onramp-sessions',
    'On-ramp sessions, newest first: ?user_reference=&limit=.',
    z.strictObject({ user_reference: text.optional(), limit: limit.default(100) }),
    (input, _params, context) => ({
      sessions: listSessions(context.database, input.user_reference ?? null, input.limit).map((session) =>
        shown(session, context),
      ),
    }),
  ),
  route(
    'GET',
    '/onramp-sessions/:name',
    'One session by uuid, session_reference or correlation_key.',
    noInput,
    (_input, { name = '' }, context) => ({
      session: shown(requireSession(context, name), context),
    }),
  ),
  route(
    'POST',
    '/onramp-sessions',
    'A purchase, as if the merchant had called: {user_reference, currency_id | currency + network, amount, fiat_currency?, country?, session_reference?, redirect_url?, merchant_id?}.',
    purchaseSchema,
    (input, _params, context) => {
      const made = createSession(context, {
        merchant_id: requireMerchant(context, input.merchant_id).id,
        user_reference: input.user_reference,
        custom_wallet_address: null,
        session_reference: input.session_reference ?? null,
        currency_id: requireCurrency({ id: input.currency_id, code: input.currency, network: input.network }).id,
        country: input.country,
        amount: input.amount,
        fiat_currency: input.fiat_currency,
        redirect_url: input.redirect_url ?? null,
        theme: 'dark',
        metadata_json: '{}',
      })
      return { session: shown(made, context) }
    },
  ),
  ...STEPS.map((status) =>
    route(
      'POST',
      `/onramp-sessions/:name/${status}`,
      status === 'pending'
        ? 'Advances a session to pending, through the states before it: {payment_method?, from_amount?, from_currency?, to_amount?, deposit_amount?, tx_hash?}.'
        : `Likewise to ${status}.`,
      detailsSchema,
      (input, { name = '' }, context) => ({
        session: shown(
          advanceSession(context, name, status, {
            method: input.payment_method,
            paidAmount: input.from_amount,
            paidCurrency: input.from_currency,
            toAmount: input.to_amount,
            depositAmount: input.deposit_amount,
            txHash: input.tx_hash,
          }),
          context,
        ),
      }),
    ),
  ),
]
