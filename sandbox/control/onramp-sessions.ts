import { z } from 'zod'
import type { Context } from '../context.ts'
import { currencyById } from '../currencies/find-currency.ts'
import { advanceSession, requireSession } from '../lifecycle/onramp.ts'
import { amount, text } from '../operations/fields.ts'
import { widgetLink } from '../operations/widget-link.ts'
import { SESSION_STATUSES, listSessions } from '../state/sessions.ts'
import type { OnrampSession } from '../state/sessions.ts'
import { limit, noInput, route } from './route.ts'

const STEPS = SESSION_STATUSES.filter((status) => status !== 'created')

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
  ...STEPS.map((status) =>
    route(
      'POST',
      `/onramp-sessions/:name/${status}`,
      status === 'pending'
        ? 'Advances a session to pending: {payment_method?, from_amount?, from_currency?, to_amount?, deposit_amount?, tx_hash?}.'
        : `Likewise to ${status}, through the states before it.`,
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
