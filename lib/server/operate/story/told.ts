/** What one message or one row says, so that it can be compared with another. */
import * as z from 'zod/mini'
import type { StorySource } from '#lib/contract/operate/story-comparison.ts'
import { isDecimal, type Decimal } from '#lib/contract/money.ts'
import { parseWebhook, type GatewayEvent } from '../../gateway/parse-webhook.ts'
import type { Fact } from '../../ledger/facts.ts'
import { IS_UNAPPLIED_EVENT } from '../../ledger/quarantine-reasons.ts'
import type { OnrampRow, StoryRows } from '../../store/types.ts'

/** What one source says. */
export interface Told {
  readonly source: StorySource
  readonly user: string | null
  readonly currency: {
    readonly currency_id: string | null
    readonly currency_code: string
    readonly network: string
  } | null
  readonly amount: Decimal | null
  readonly inexact?: true | undefined
  /** Of a purchase: what the user paid, or was to pay. */
  readonly paid: { readonly amount: Decimal | null; readonly fiat: string } | null
  readonly to_address: string | null
  readonly from_address: string | null
  readonly hash: string | null
  readonly transaction: string | null
}

/** What a fact, a folded transaction, or a message of the gateway says. */
export const toldBy = (
  source: StorySource,
  fact: Pick<
    Fact,
    | 'transaction_uuid'
    | 'user_reference_id'
    | 'currency_code'
    | 'network'
    | 'amount'
    | 'to_address'
    | 'from_address'
    | 'tx_hash'
    | 'from_amount'
    | 'from_currency'
  > & { readonly currency_id: string | null; readonly inexact?: true | undefined },
): Told => ({
  source,
  user: fact.user_reference_id,
  currency: fact,
  amount: fact.amount,
  inexact: fact.inexact,
  paid: fact.from_currency === null ? null : { amount: fact.from_amount, fiat: fact.from_currency.toUpperCase() },
  to_address: fact.to_address,
  from_address: fact.from_address,
  hash: fact.tx_hash,
  transaction: fact.transaction_uuid,
})

/** Whether the line's `event` is the webhook's body. */
export const isEventLine = ({ reason }: Pick<StoryRows['lines'][number], 'reason'>): boolean =>
  IS_UNAPPLIED_EVENT[reason]

/** Another purchase may have used the session up. */
export const toldBySession = (row: OnrampRow): Told => ({
  source: 'session',
  user: row.user_reference_id,
  currency: row,
  amount: null,
  paid: { amount: row.amount, fiat: row.fiat_currency.toUpperCase() },
  to_address: null,
  from_address: null,
  hash: null,
  transaction: row.settled_uuid,
})

/** The event of a body that the gateway signed; null if it is none that can be read. */
export function readEvent(body: string): GatewayEvent | null {
  const parsed = parseWebhook(Buffer.from(body, 'utf8'))
  return parsed.outcome === 'event' ? parsed.event : null
}

/** A purchase's event names its currency by its code, and perhaps its network; else it is on `network`. */
export function toldByEvent(event: GatewayEvent, network: string, source: StorySource = 'event'): Told {
  const { currency } = event
  const named =
    currency.known === 'by_id'
      ? { ...currency.currency, currency_id: currency.currency.id }
      : { currency_id: null, currency_code: currency.code, network: currency.network ?? network }
  return toldBy(source, { ...event, ...named })
}

const text = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => value || null),
)

const recordSchema = z.object({
  amount: z.custom<Decimal>((value) => typeof value === 'string' && isDecimal(value)),
  currency: z.object({ id: z.string(), code: z.string(), network: z.string() }),
  user_ref_id: text,
  to_address: text,
  from_address: text,
  tx_hash: text,
})

/** Null for a record without an amount or a currency. */
export function toldByRecord({ transaction_uuid, record }: StoryRows['records'][number]): Told | null {
  const read = recordSchema.safeParse(JSON.parse(record))
  if (!read.success) return null
  const { currency, user_ref_id, ...rest } = read.data
  const { id: currency_id, code: currency_code, network } = currency
  return toldBy('list', {
    ...{ transaction_uuid, user_reference_id: user_ref_id, currency_id, currency_code, network },
    ...{ from_amount: null, from_currency: null },
    ...rest,
    // As a JSON number it may have lost digits before it was stored.
    inexact: true,
  })
}
