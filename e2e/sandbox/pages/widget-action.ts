import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { headerOf, jsonObject } from '../http/incoming.ts'
import type { Incoming } from '../http/incoming.ts'
import { respondJson } from '../http/respond.ts'
import { acceptPayment, deliver, failOnramp, pickUp } from '../lifecycle/onramp.ts'
import type { Payment } from '../lifecycle/onramp.ts'
import { Refusal } from '../lifecycle/refusal.ts'
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
  pay_and_deliver: (context, session, payment) => deliver(context, acceptPayment(context, session, payment), {}),
  fail: failOnramp,
}

function act(incoming: Incoming, context: Context): { status: number; body: unknown } {
  const [, token = '', name = ''] = /^\/widget\/([^/]+)\/([a-z_]+)$/.exec(incoming.path) ?? []
  const session = findSessionByToken(context.database, token)
  const action = WIDGET_ACTIONS.find((known) => known === name)
  if (!session || !action) return { status: 404, body: { message: 'not found' } }
  if (!headerOf(incoming, 'content-type').startsWith('application/json'))
    return { status: 415, body: { message: 'JSON only' } }
  const payment = paymentSchema.safeParse(jsonObject(incoming))
  if (!payment.success) return { status: 422, body: { message: 'the amount is not a decimal above zero' } }
  const after = ACTIONS[action](context, session, payment.data)
  return { status: 200, body: { status: after.status } }
}

/** POST /widget/:token/:action: what the user does at the provider. 409 when the session is past it. */
export function widgetAction(incoming: Incoming, response: ServerResponse, context: Context): void {
  try {
    const { status, body } = context.database.atomically(() => act(incoming, context))
    respondJson(response, status, body)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    respondJson(response, error.status, { message: error.message })
  }
}
