import type { DueDelivery, Store } from '../store/types.ts'
import { changeId } from './change-id.ts'
import { feedCursor } from './feed-cursor.ts'
import { postSigned, type PostOptions } from './outbound-call.ts'

/** `cursor` is the feed's, so that feed and webhooks can be put in one order. `data` is sent as it is stored. */
const bodyOf = ({ epoch, cursor, created_ms, data }: DueDelivery): string =>
  `{"type":"transaction.updated","timestamp":"${new Date(created_ms).toISOString()}","cursor":"${feedCursor(epoch, cursor)}","data":${data}}`

/**
 * One attempt to deliver an event (docs/reference/merchant-api.md, "A transaction changed: transaction.updated"). Null
 * after a 2xx, else why it failed. Follows no redirect.
 */
export async function deliver(
  { store, ...options }: PostOptions & { readonly store: Pick<Store, 'deliveries'> },
  delivery: DueDelivery,
): Promise<string | null> {
  const id = changeId(delivery, await store.deliveries.earlierOf(delivery.entity, delivery.cursor))
  const { status, error } = await postSigned(options, { id, body: bodyOf(delivery) })
  if (status === null) return error
  return status >= 200 && status < 300 ? null : `status ${String(status)}`
}
