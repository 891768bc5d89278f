import { z } from 'zod'
import type { MerchantApi } from '../fixtures/merchant-api.ts'

const event = z.object({
  cursor: z.string(),
  type: z.literal('transaction.updated'),
  data: z.object({
    transaction_uuid: z.string().nullable(),
    kind: z.string(),
    status: z.string(),
    amount: z.string().nullable(),
    user_reference_id: z.string().nullable(),
    source: z.enum(['webhook', 'reconciliation', 'cashier']),
    tx_hash: z.string().nullable(),
    withdrawal_id: z.string().optional(),
    session_reference: z.string().optional(),
    metadata: z.unknown().optional(),
    payment_method: z.string().optional(),
    merchant_reference: z.string().optional(),
  }),
})
export type FeedEvent = z.infer<typeof event>

const page = z.object({ events: z.array(event), next_cursor: z.string() })

/** All events of the merchant's feed, read page by page; only those of `user` when one is given. */
export async function readMerchantFeed(merchant: MerchantApi, user?: string): Promise<readonly FeedEvent[]> {
  const all: FeedEvent[] = []
  let after = '0'
  for (;;) {
    const response = await merchant.call('GET', `/events?limit=1000&after=${after}`)
    const { events, next_cursor } = page.parse(await response.json())
    all.push(...events)
    if (events.length === 0) break
    after = next_cursor
  }
  return user === undefined ? all : all.filter(({ data }) => data.user_reference_id === user)
}
