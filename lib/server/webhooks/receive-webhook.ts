import { randomUUID, type KeyObject } from 'node:crypto'
import { Problem } from '#lib/contract/problems.ts'
import { verifyWebhookSignature } from '../gateway/webhook-signature.ts'
import type { QuarantineReason, Store, Tx, WebhookOutcome } from '../store/port.ts'
import { reconcileAtOnce } from '../ledger/schedule-reconciliation.ts'
import { applyWebhook, isOfOtherMerchant, type WebhookRules } from './apply-webhook.ts'
import { createGroupCommit } from './group-commit.ts'
import { parseWebhook, type GatewayEvent, type ParsedWebhook } from '../gateway/parse-webhook.ts'

/** A webhook as received: the bytes, and each header's values, not joined. */
export interface IncomingWebhook {
  readonly rawBody: Uint8Array
  readonly signature: readonly string[]
  readonly timestamp: readonly string[]
  readonly algorithm: readonly string[]
}

export type WebhookAnswer =
  { readonly status: 200; readonly duplicate: boolean } | { readonly status: 400 | 401; readonly detail: string }

export interface ReceiveOptions extends WebhookRules {
  readonly store: Store
  readonly publicKey: KeyObject
  readonly clock: () => number
  /** Seconds: an older timestamp is not applied. */
  readonly toleranceS: number
  /** Called with every verified webhook's outcome, after its commit. */
  readonly onOutcome?: (outcome: WebhookOutcome) => void
  /** Most webhooks in one commit; 200 by default. */
  readonly commitLimit?: number
}

/** Seconds that the sender's clock may be ahead of ours. */
const AHEAD_S = 60

const TIMESTAMP = /^[1-9]\d{9}$/

type Readable = Exclude<ParsedWebhook, { outcome: 'malformed' }>

interface Verified {
  readonly parsed: Readable
  readonly body: string
  readonly sentS: number
  readonly fresh: boolean
}

/**
 * The three headers, each exactly once and of its form (docs/gateway.md, "Webhook signature"); else what is wrong with
 * them.
 */
function readHeaders(webhook: IncomingWebhook): { signature: string; timestamp: string } | { fault: string } {
  const values = {
    'X-Signature': webhook.signature,
    'X-Timestamp': webhook.timestamp,
    'X-Algorithm': webhook.algorithm,
  }
  for (const [name, given] of Object.entries(values))
    if (given.length !== 1) return { fault: `${name} must be sent once` }
  const [signature = '', timestamp = '', algorithm = ''] = Object.values(values).map(([value]) => value)
  if (algorithm !== 'RSA-SHA256') return { fault: 'X-Algorithm must be RSA-SHA256' }
  if (!TIMESTAMP.test(timestamp)) return { fault: 'X-Timestamp must be seconds since 1970' }
  return { signature, timestamp }
}

const userOf = (parsed: Readable): string | null =>
  parsed.outcome === 'event' ? parsed.event.user_reference_id : parsed.user_reference_id

/** Whose it is comes first, then duplicates: a re-send of an applied event is one however old it is. */
async function outcomeOf(
  tx: Tx,
  item: Verified,
  known: ReadonlySet<string>,
  rules: WebhookRules,
): Promise<WebhookOutcome> {
  const { parsed } = item
  if (parsed.outcome === 'unreadable') return parsed.outcome
  if (isOfOtherMerchant(parsed.outcome === 'event' ? parsed.event : parsed, rules)) return 'other_merchant'
  if (!item.fresh) {
    const seen = parsed.outcome === 'event' && (await wasApplied(tx, parsed.event))
    return seen ? 'seen' : 'stale'
  }
  if (parsed.outcome !== 'event') return parsed.outcome
  const outcome = await applyWebhook(tx, parsed.event, known, { ...rules, body: item.body })
  const { kind, transaction_uuid, status } = parsed.event
  // The facts of an erased user are still known, without the user.
  return outcome === 'unknown_user' && (await tx.erasure.isErased(kind, transaction_uuid, status)) ? 'seen' : outcome
}

async function wasApplied(tx: Tx, event: GatewayEvent): Promise<boolean> {
  const facts = await tx.transactions.facts(event.kind, event.transaction_uuid)
  return facts.some((fact) => fact.status === event.status && fact.source === 'webhook')
}

/**
 * The webhook route's use case (docs/api.md, "Gateway webhooks"): verifies the bytes, then parses them, then stores and
 * applies the event in one transaction shared by all that wait, and answers after its commit. Throws
 * `store_unavailable` if the store cannot commit; nothing has happened then.
 */
export function createReceiveWebhook(options: ReceiveOptions): (webhook: IncomingWebhook) => Promise<WebhookAnswer> {
  const commit = (items: readonly Verified[]): Promise<readonly WebhookOutcome[]> =>
    options.store.transaction(async (tx) => {
      const users = items.flatMap(({ parsed }) => userOf(parsed) ?? [])
      const known = await tx.users.lock(users)
      const outcomes: WebhookOutcome[] = []
      for (const item of items) {
        const outcome = await outcomeOf(tx, item, known, options)
        outcomes.push(outcome)
        if (outcome !== 'applied' && outcome !== 'seen') await quarantine(tx, item, outcome, known)
      }
      await tx.inbox.saveRaw(
        items.map((item, index) => ({
          id: randomUUID(),
          received_ms: tx.now,
          sent_s: item.sentS,
          body: item.body,
          outcome: outcomes[index] ?? 'seen',
        })),
      )
      return outcomes
    })

  const record = createGroupCommit({ commit, ...(options.commitLimit !== undefined && { limit: options.commitLimit }) })

  return async (webhook) => {
    const headers = readHeaders(webhook)
    if ('fault' in headers) return { status: 401, detail: headers.fault }
    const { signature, timestamp } = headers
    const { rawBody } = webhook
    if (!verifyWebhookSignature({ rawBody, timestamp, signature, publicKey: options.publicKey }))
      return { status: 401, detail: 'X-Signature does not match the body and timestamp' }

    const parsed = parseWebhook(rawBody)
    if (parsed.outcome === 'malformed') return { status: 400, detail: parsed.detail }

    const sentS = Number.parseInt(timestamp, 10)
    const age = Math.floor(options.clock() / 1000) - sentS
    const item: Verified = {
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
    options.onOutcome?.(outcome)
    return { status: 200, duplicate: outcome === 'seen' }
  }
}

/** Stores what was not applied. The list may know more of it, so it is asked for a user whom we know. */
async function quarantine(
  tx: Tx,
  { parsed, body }: Verified,
  reason: QuarantineReason,
  known: ReadonlySet<string>,
): Promise<void> {
  const event = parsed.outcome === 'event' ? parsed.event : parsed
  const user = event.user_reference_id
  if (user !== null && known.has(user)) await reconcileAtOnce(tx, user, 'quarantined')
  // That line is written where the conflict is found, once a transaction.
  if (reason === 'list_conflict') return
  await tx.inbox.quarantine({
    reason,
    received_ms: tx.now,
    event_name: 'event_name' in event ? event.event_name : event.event,
    user_reference_id: user,
    transaction_uuid: event.transaction_uuid,
    event: body,
  })
}
