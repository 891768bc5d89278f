/** The calls about deliveries that the console and the embedded view share. */
import {
  DELIVERY_FILTER_NAMES,
  deliveriesAsked,
  deliveryFilter,
  redeliveryOrder,
} from '#lib/contract/operate/deliveries.ts'
import { jsonAnswer, type Answer } from './answer.ts'
import { merchantValues } from './query.ts'
import { parseInput, readJson } from './request-body.ts'
import type { Call } from './route-handler.ts'

/** Room for a thousand ids. */
const MAX_BODY_BYTES = 128 * 1024

interface Actor {
  readonly id: string
  readonly name: string
}

/** A list about one user or one transaction is noted in the audit log. */
export async function listDeliveries({ app, url }: Call, operator: Actor): Promise<Answer> {
  const values = merchantValues(url.searchParams, [...DELIVERY_FILTER_NAMES, 'after', 'limit'])
  const query = parseInput(deliveriesAsked, values)
  const { user, transaction } = query
  if (user !== null || transaction !== null)
    await app.console.recordAudit({
      operator,
      action: 'deliveries.list',
      about:
        transaction === null
          ? { kind: 'user', id: user ?? '', user_reference_id: user }
          : { kind: 'transaction', id: transaction, user_reference_id: user },
    })
  return jsonAnswer(200, await app.console.listDeliveries(query))
}

export async function readDelivery({ app, params }: Call, operator: Actor): Promise<Answer> {
  const detail = await app.console.readDelivery(params['id'] ?? '')
  const { id, user_reference_id } = detail.delivery
  await app.console.recordAudit({
    operator,
    action: 'delivery.open',
    about: { kind: 'delivery', id, user_reference_id },
  })
  return jsonAnswer(200, detail)
}

export async function previewResend({ app, url }: Call): Promise<Answer> {
  const filter = parseInput(deliveryFilter, merchantValues(url.searchParams, DELIVERY_FILTER_NAMES))
  return jsonAnswer(200, await app.console.previewResend(filter))
}

export async function resendDeliveries({ app, request }: Call, operator: Actor): Promise<Answer> {
  const order = await readJson(request, redeliveryOrder, MAX_BODY_BYTES)
  const [id, ...more] = 'ids' in order ? order.ids : []
  const about = id === undefined || more.length > 0 ? null : { kind: 'delivery', id }
  const entry = { operator, action: 'delivery.resend', about, detail: order }
  return jsonAnswer(202, await app.console.auditedAct(entry, () => app.console.resendDeliveries(order)))
}
