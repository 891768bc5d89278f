import type { DueDelivery } from '../store/port.ts'
import { postSigned, type PostOptions } from './outbound-call.ts'

/** The same for every attempt, and unique even if a restored database assigns a cursor again. */
const idOf = ({ cursor, created_ms }: DueDelivery): string => `evt_${cursor}_${created_ms}`

/** `cursor` is the feed's, so that feed and webhooks can be put in one order. `data` is sent as it is stored. */
const bodyOf = ({ cursor, created_ms, data }: DueDelivery): string =>
  `{"type":"transaction.updated","timestamp":"${new Date(created_ms).toISOString()}","cursor":"${cursor}","data":${data}}`

/**
 * One attempt to deliver an event (docs/api.md, "Event webhook"). Null after a 2xx, else why it failed. Follows no
 * redirect.
 */
export async function deliver(options: PostOptions, delivery: DueDelivery): Promise<string | null> {
  const { status, error } = await postSigned(options, { id: idOf(delivery), body: bodyOf(delivery) })
  if (status === null) return error
  return status >= 200 && status < 300 ? null : `status ${String(status)}`
}
