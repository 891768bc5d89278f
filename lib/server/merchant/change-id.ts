import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { canonical, decimal } from '#lib/contract/money.ts'

const changeSchema = z.object({
  status: z.string(),
  transaction_uuid: z.nullable(z.string()),
  amount: z.nullable(z.string()),
})

/** What an event tells of its transaction, whenever and by whomever that became known. */
function changeOf(data: string): string {
  const { status, transaction_uuid, amount } = changeSchema.parse(JSON.parse(data))
  return JSON.stringify([status, transaction_uuid, amount === null ? null : canonical(decimal(amount))])
}

/**
 * The `webhook-id` of an event (docs/reference/merchant-api.md, "A transaction changed: transaction.updated"): the same
 * for the same change of the same transaction, also where a restored database tells it again under another cursor.
 * @param earlier the `data` of the transaction's events before it, since it may come back to a state
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
