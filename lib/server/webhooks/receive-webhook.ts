import type { KeyObject } from 'node:crypto'
import { Problem } from '#lib/contract/problems.ts'
import { verifyWebhookSignature } from '../gateway/webhook-signature.ts'
import { isDispute } from '../ledger/rows.ts'
import { reconcileAtOnce } from '../ledger/schedule-reconciliation.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { QuarantineReason, Store, WebhookOutcome } from '../store/types.ts'
import {
  applyStale,
  applyWebhook,
  isOfOtherMerchant,
  loadForEvents,
  showPayout,
  type WebhookRules,
} from './apply-webhook.ts'
import { createGroupCommit } from '../jobs/group-commit.ts'
import type { SignatureHeaders } from './signature-headers.ts'
import { parseWebhook, type GatewayEvent, type ParsedWebhook } from '../gateway/parse-webhook.ts'

/** A webhook as received, with its parsed headers. */
export interface IncomingWebhook extends SignatureHeaders {
  /** The bytes as received. */
  readonly rawBody: Uint8Array
}

export type WebhookAnswer =
  { readonly status: 200; readonly duplicate: boolean } | { readonly status: 400 | 401; readonly detail: string }

export interface ReceiveOptions extends WebhookRules {
  readonly store: Store
  /** The gateway's key, or several during a rotation. */
  readonly publicKey: KeyObject | readonly KeyObject[]
  readonly clock: () => number
  /** Seconds: an older timestamp is not applied. */
  readonly toleranceS: number
  /** Called after its commit with every verified webhook's outcome, and its transaction if it names one. */
  readonly onOutcome?: (outcome: WebhookOutcome, transactionUuid: string | null) => void
  /** The most webhooks in one commit; 200 by default. */
  readonly commitLimit?: number
}

/** The most seconds by which the sender's clock may be ahead of ours. */
const AHEAD_S = 60

type Readable = Exclude<ParsedWebhook, { outcome: 'malformed' }>

export interface VerifiedWebhook {
  readonly parsed: Readable
  readonly body: string
  readonly sentS: number
  readonly fresh: boolean
}

const transactionOf = (parsed: Readable): string | null =>
  parsed.outcome === 'event' ? parsed.event.transaction_uuid : parsed.transaction_uuid

const userOf = (parsed: Readable): string | null =>
  parsed.outcome === 'event' ? parsed.event.user_reference_id : parsed.user_reference_id

/** The lock of an event while it is applied. */
const lockOf = ({ parsed }: VerifiedWebhook): string => userOf(parsed) ?? transactionOf(parsed) ?? ''

/** What the event tells; null if that cannot be read. */
function eventIn({ parsed }: VerifiedWebhook): GatewayEvent | null {
  if (parsed.outcome === 'event') return parsed.event
  return parsed.outcome === 'unreadable' ? null : parsed.payout
}

function outcomeOf(unit: UnitOfWork, { parsed, fresh, body }: VerifiedWebhook, rules: WebhookRules): WebhookOutcome {
  if (parsed.outcome === 'event') return (fresh ? applyWebhook : applyStale)(unit, parsed.event, { ...rules, body })
  if (parsed.outcome !== 'unknown_event' && isOfOtherMerchant(parsed, rules)) return 'other_merchant'
  if (parsed.outcome === 'unreadable') return parsed.outcome
  if (parsed.payout !== null) showPayout(unit, parsed.payout, { ...rules, body })
  return fresh ? parsed.outcome : 'stale'
}

/**
 * Stores an event that was not applied. The list may know more about it, so the user's list is requested if the user is
 * known.
 */
function quarantine(unit: UnitOfWork, { parsed, body }: VerifiedWebhook, reason: QuarantineReason): void {
  const event = parsed.outcome === 'event' ? parsed.event : parsed
  const user = event.user_reference_id
  if (user !== null && unit.isKnown(user)) reconcileAtOnce(unit, user, 'quarantined')
  if (isDispute(reason)) return
  unit.quarantine({
    reason,
    event_name: 'event_name' in event ? event.event_name : event.event,
    user_reference_id: user,
    transaction_uuid: event.transaction_uuid,
    event: body,
  })
}

/** Applies the webhooks of one commit in the order of their arrival. */
export function applyGroup(
  unit: UnitOfWork,
  items: readonly VerifiedWebhook[],
  rules: WebhookRules,
): readonly WebhookOutcome[] {
  return items.map((item) => {
    const outcome = outcomeOf(unit, item, rules)
    if (outcome !== 'applied' && outcome !== 'seen') quarantine(unit, item, outcome)
    const transaction_uuid = transactionOf(item.parsed)
    unit.addWebhook({ received_ms: unit.now, sent_s: item.sentS, body: item.body, outcome, transaction_uuid })
    return outcome
  })
}

/**
 * The webhook route's use case (docs/explanation/money.md, "Gateway webhooks"): verifies the bytes, then parses them,
 * then stores and applies the event in one transaction shared by all waiting events, and answers after the commit.
 * Throws `store_unavailable` if the store cannot commit; nothing is then stored.
 */
export function createReceiveWebhook(options: ReceiveOptions): (webhook: IncomingWebhook) => Promise<WebhookAnswer> {
  const commit = (items: readonly VerifiedWebhook[]): Promise<readonly WebhookOutcome[]> =>
    options.store.transaction(async (tx) => {
      const events = items.flatMap((item) => eventIn(item) ?? [])
      const unit = await loadForEvents(
        tx,
        events,
        items.flatMap(({ parsed }) => userOf(parsed) ?? []),
        options,
      )
      const outcomes = applyGroup(unit, items, options)
      await tx.save(unit)
      return outcomes
    })

  const record = createGroupCommit({
    commit,
    keyOf: lockOf,
    faultOf: (error) => options.store.faultOf(error),
    ...(options.commitLimit !== undefined && { limit: options.commitLimit }),
  })

  return async ({ rawBody, signature, timestamp }) => {
    if (!verifyWebhookSignature({ rawBody, timestamp, signature, publicKey: options.publicKey }))
      return { status: 401, detail: 'X-Signature does not match the body and timestamp' }

    const parsed = parseWebhook(rawBody)
    if (parsed.outcome === 'malformed') return { status: 400, detail: parsed.detail }

    const sentS = Number.parseInt(timestamp, 10)
    const age = Math.floor(options.clock() / 1000) - sentS
    const item: VerifiedWebhook = {
      parsed,
      body: Buffer.from(rawBody).toString('utf8'),
      sentS,
      fresh: age <= options.toleranceS && age >= -AHEAD_S,
    }
    let outcome: WebhookOutcome
    try {
      outcome = await record(item)
    } catch (cause) {
      throw new Problem('store_unavailable', 'The event could not be stored. Send it again.', { cause })
    }
    options.onOutcome?.(outcome, transactionOf(parsed))
    return { status: 200, duplicate: outcome === 'seen' }
  }
}
