import { z } from 'zod'
import type { StoredFault } from '../state/faults.ts'
import type { Signing, WebhookState } from '../state/webhooks.ts'

/** Number, time and signature of an event's deliveries. */
export interface WebhookPlan {
  readonly copies: number
  readonly delayMs: number
  readonly signing: Signing
  readonly state: WebhookState
  /** Amounts have passed through a double, as JSON numbers do in many languages. */
  readonly rounded: boolean
}

const NORMAL_DELIVERY: WebhookPlan = { copies: 1, delayMs: 0, signing: 'right', state: 'queued', rounded: false }

/** Settings of each webhook fault, with their defaults. */
export const WEBHOOK_FAULTS = {
  drop: z.strictObject({}),
  duplicate: z.strictObject({ copies: z.int().min(2).max(50).default(2) }),
  reorder: z.strictObject({}),
  delay: z.strictObject({ delay_ms: z.int().min(0).max(86_400_000).default(3000) }),
  wrong_signature: z.strictObject({}),
  other_key: z.strictObject({}),
  stale_timestamp: z.strictObject({}),
  round_amounts: z.strictObject({}),
} as const

export type WebhookFaultKind = keyof typeof WEBHOOK_FAULTS

const PLANS: Readonly<Record<WebhookFaultKind, (settings: unknown) => WebhookPlan>> = {
  drop: () => ({ ...NORMAL_DELIVERY, state: 'dropped' }),
  duplicate: (settings) => ({ ...NORMAL_DELIVERY, copies: WEBHOOK_FAULTS.duplicate.parse(settings).copies }),
  reorder: () => ({ ...NORMAL_DELIVERY, state: 'held' }),
  delay: (settings) => ({ ...NORMAL_DELIVERY, delayMs: WEBHOOK_FAULTS.delay.parse(settings).delay_ms }),
  wrong_signature: () => ({ ...NORMAL_DELIVERY, signing: 'wrong' }),
  other_key: () => ({ ...NORMAL_DELIVERY, signing: 'other_key' }),
  stale_timestamp: () => ({ ...NORMAL_DELIVERY, signing: 'stale' }),
  round_amounts: () => ({ ...NORMAL_DELIVERY, rounded: true }),
}

export const isWebhookFault = (kind: string): kind is WebhookFaultKind => Object.hasOwn(WEBHOOK_FAULTS, kind)

export const webhookPlan = (fault: StoredFault | null): WebhookPlan =>
  fault && isWebhookFault(fault.kind) ? PLANS[fault.kind](fault.settings_json) : NORMAL_DELIVERY
