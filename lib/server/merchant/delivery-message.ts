import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { canonical, decimal } from '#lib/contract/money.ts'
import type { DueDelivery, Store } from '../store/types.ts'
import { feedCursor } from './feed-cursor.ts'

const changeSchema = z.object({
  status: z.string(),
  transaction_uuid: z.nullable(z.string()),
  amount: z.nullable(z.string()),
})

/** The change that an event reports, without its time and source. */
function changeOf(data: string): string {
  const { status, transaction_uuid, amount } = changeSchema.parse(JSON.parse(data))
  return JSON.stringify([status, transaction_uuid, amount === null ? null : canonical(decimal(amount))])
}

/**
 * The `webhook-id` of an event (docs/reference/merchant-api.md, "A transaction changed: transaction.updated"): the same
 * for the same change of the same transaction, also if a restored database sends it again under another cursor.
 * @param earlier the `data` of the transaction's earlier events, since a transaction may return to a state
 */
export function changeId(
  event: { readonly entity: string; readonly data: string },
  earlier: readonly string[],
): string {
  const change = changeOf(event.data)
  const times = earlier.filter((data) => changeOf(data) === change).length
  const content = JSON.stringify([event.entity, change, times])
  return `evt_${createHash('sha256').update(content).digest('base64url').slice(0, 32)}`
}

/** `cursor` is the feed's, so that feed and webhooks have one order. `data` is sent as it is stored. */
const bodyOf = ({ epoch, cursor, created_ms, data }: DueDelivery): string =>
  `{"type":"transaction.updated","timestamp":"${new Date(created_ms).toISOString()}","cursor":"${feedCursor(epoch, cursor)}","data":${data}}`

/** What is sent for an event, without the signature. */
export interface Message {
  readonly id: string
  readonly body: string
}

/** The message of a due delivery. Its id depends on the earlier events of the transaction. */
export const messageOf = async (store: Pick<Store, 'deliveries'>, delivery: DueDelivery): Promise<Message> => ({
  id: changeId(delivery, await store.deliveries.earlierOf(delivery.entity, delivery.cursor)),
  body: bodyOf(delivery),
})
