import { z } from 'zod'
import type { Context } from '../context.ts'
import { headerOf, jsonObject } from '../http/incoming.ts'
import type { Incoming } from '../http/incoming.ts'
import { respondJson } from '../http/respond.ts'
import { acceptPayment, deliverCrypto, failOnramp, hasExpired, pickUp } from '../lifecycle/onramp.ts'
import type { Payment } from '../lifecycle/onramp.ts'
import { HttpError } from '../http/http-error.ts'
import { amount } from '../operations/fields.ts'
import { findSessionByToken } from '../state/sessions.ts'
import type { OnrampSession } from '../state/sessions.ts'
import { WIDGET_ACTIONS } from './widget/session.ts'
import type { WidgetAction } from './widget/session.ts'

const paymentSchema = z.object({ amount: amount.optional() })

const ACTIONS: Readonly<
  Record<WidgetAction, (context: Context, session: OnrampSession, payment: Payment) => OnrampSession>
> = {
  open: (context, session) => (session.status === 'created' ? pickUp(context, session) : session),
  pay: acceptPayment,
  pay_and_deliver: (context, session, payment) => deliverCrypto(context, acceptPayment(context, session, payment), {}),
  fail: failOnramp,
}

function act(token: string, name: string, incoming: Incoming, context: Context): { status: number; body: unknown } {
  const session = findSessionByToken(context.database, token)
  const action = WIDGET_ACTIONS.find((known) => known === name)
  if (!session || !action) return { status: 404, body: { message: 'not found' } }
  if (!headerOf(incoming, 'content-type').startsWith('application/json'))
    return { status: 415, body: { message: 'JSON only' } }
  if (hasExpired(context, session)) return { status: 409, body: { message: 'This payment page has expired.' } }
  const payment = paymentSchema.safeParse(jsonObject(incoming))
  if (!payment.success) return { status: 422, body: { message: 'the amount is not a decimal above zero' } }
  const after = ACTIONS[action](context, session, payment.data)
  return { status: 200, body: { status: after.status } }
}

/** POST /widget/:token/:action: an action of the user at the provider. 409 if the session's state does not allow it. */
export function widgetAction(token: string, name: string, incoming: Incoming, context: Context): Response {
  try {
    const { status, body } = context.database.atomically(() => act(token, name, incoming, context))
    return respondJson(status, body)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return respondJson(error.status, { message: error.message })
  }
}
