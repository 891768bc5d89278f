import { z } from 'zod'
import { transactionRecord } from '../conformance/shapes.ts'
import { SESSION_STATUSES, sessionSchema } from '../state/sessions.ts'
import { callSchema } from '../state/calls.ts'
import { modesSchema } from '../state/modes.ts'
import { attemptSchema, webhookSchema } from '../state/webhooks.ts'

const texts = z.record(z.string(), z.string())
const anything = z.record(z.string(), z.unknown())
const merchant = z.object({
  id: z.string(),
  name: z.string(),
  api_key: z.string(),
  allow_custom_external_wallet: z.boolean(),
  webhook_url: z.string().nullable(),
})
const withdrawal = transactionRecord.extend({ requires_approval: z.boolean() })
const session = sessionSchema.omit({ seq: true, link_token: true, metadata_json: true }).extend({
  currency: z.string(),
  network: z.string(),
  metadata: z.unknown(),
  link: z.string(),
})
const loggedWebhook = webhookSchema.extend({ log: z.array(attemptSchema) })
const fault = z.object({
  id: z.number(),
  target: z.string(),
  kind: z.string(),
  match_json: texts,
  settings_json: anything,
  remaining: z.number().nullable(),
  used: z.number(),
})
const currency = z.looseObject({ id: z.string(), code: z.string(), network: z.string(), decimals: z.number() })
const magic = z.record(z.string(), z.object({ kind: z.string(), settings: anything }))
const depositAddress = z.object({
  address: z.string(),
  currency_id: z.string(),
  merchant_id: z.string(),
  user_reference: z.string(),
  created_at: z.number(),
  currency: z.string(),
  network: z.string(),
  decimals: z.number(),
})

/** Shapes that several answers have, by component. */
export const CONTROL_COMPONENTS = {
  Transaction: transactionRecord,
  Payout: withdrawal,
  OnrampSession: session,
  Webhook: loggedWebhook,
  Fault: fault,
  Call: callSchema,
  Modes: modesSchema,
  Merchant: merchant,
} as const

export const controlError = z.object({
  error: z.literal(true),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
})

const transactionStep = z.object({ transaction: transactionRecord })
const payoutStep = z.object({ transaction: withdrawal })
const sessionStep = z.object({ session })
const removed = z.object({ removed: z.number() })

/** The answer of each control call. */
export const CONTROL_ANSWERS: Readonly<Record<string, z.ZodType>> = {
  'GET /routes': z.object({
    routes: z.array(z.object({ method: z.string(), path: z.string(), about: z.string() })),
  }),
  'GET /state': z.object({
    now: z.number(),
    restarts: z.number(),
    origin: z.string(),
    base_path: z.string(),
    modes: modesSchema,
    merchants: z.array(merchant),
    gateway_public_key: z.string(),
    currencies: z.array(currency),
    counts: z.record(z.string(), z.number()),
  }),
  'GET /magic': z.object({
    amounts: magic,
    addresses: z.record(z.string(), texts),
    users: z.record(z.string(), z.unknown()),
    words: z.record(z.string(), texts),
  }),
  'POST /restart': z.object({ restarts: z.number(), down_ms: z.number() }),
  'POST /reset': z.object({ reset: z.literal(true) }),
  'GET /overview': z.looseObject({ now: z.number(), recent: z.array(anything), webhooks: z.array(anything) }),
  'GET /modes': modesSchema,
  'PATCH /modes': modesSchema,
  'POST /clock': z.object({ clock_offset_ms: z.number(), now: z.number() }),
  'PATCH /merchants/:id': z.object({ merchant }),
  'POST /deposits': transactionStep,
  'POST /deposits/:uuid/confirm': transactionStep,
  'POST /deposits/:uuid/fail': transactionStep,
  'GET /addresses': z.object({ addresses: z.array(depositAddress) }),
  'GET /withdrawals': z.object({ withdrawals: z.array(withdrawal) }),
  'POST /withdrawals': payoutStep,
  'POST /withdrawals/:uuid/approve': payoutStep,
  'POST /withdrawals/:uuid/complete': payoutStep,
  'POST /withdrawals/:uuid/fail': payoutStep,
  'GET /onramp-sessions': z.object({ sessions: z.array(session) }),
  'POST /onramp-sessions': sessionStep,
  'GET /onramp-sessions/:name': sessionStep,
  ...Object.fromEntries(SESSION_STATUSES.map((status) => [`POST /onramp-sessions/:name/${status}`, sessionStep])),
  'GET /transactions': z.object({ transactions: z.array(transactionRecord) }),
  'POST /transactions/seed': z.object({ seeded: z.number() }),
  'GET /webhooks': z.object({ webhooks: z.array(loggedWebhook) }),
  'POST /webhooks/:id/redeliver': z.object({ webhook: webhookSchema }),
  'POST /webhooks/flush': z.object({ flushed: z.number() }),
  'POST /webhooks/send': z.object({
    status: z.number().nullable(),
    body: z.string().nullable(),
    error: z.string().nullable(),
    tookMs: z.number(),
  }),
  'GET /faults': z.object({ faults: z.array(fault), kinds: z.record(z.string(), z.array(z.string())) }),
  'POST /faults': z.object({ fault }),
  'DELETE /faults': removed,
  'DELETE /faults/:id': removed,
  'GET /calls': z.object({ calls: z.array(callSchema) }),
  'DELETE /calls': removed,
}

const coin = { user_reference: 'ada', currency: 'USDT', network: 'Tron' } as const

/** Example bodies, for the calls that need one. */
export const CONTROL_EXAMPLES: Readonly<Record<string, object>> = {
  'POST /restart': { down_ms: 1000 },
  'PATCH /modes': { approval_above: '50', deposits_confirm_after_ms: 2000 },
  'POST /clock': { advance_ms: 3_600_000 },
  'PATCH /merchants/:id': { webhook_url: 'http://localhost:3000/api/webhooks/gateway' },
  'POST /deposits': { ...coin, amount: '25.5', confirm: true },
  'POST /deposits/:uuid/confirm': { amount: '25.4' },
  'POST /deposits/:uuid/fail': { reason: 'the block was dropped' },
  'POST /withdrawals': { ...coin, amount: '5' },
  'POST /withdrawals/:uuid/fail': { reason: 'declined' },
  'POST /onramp-sessions': { ...coin, amount: '80', fiat_currency: 'EUR', country: 'DE' },
  'POST /onramp-sessions/:name/pending': {},
  'POST /onramp-sessions/:name/processing': { payment_method: 'CREDIT_DEBIT_CARD' },
  'POST /onramp-sessions/:name/succeeded': { to_amount: '79.5' },
  'POST /onramp-sessions/:name/failed': {},
  'POST /transactions/seed': { user_reference: 'ada', count: 50, type: 'Deposit', every_ms: 60_000 },
  'POST /webhooks/send': { raw: '{"event":"User Refund"}', signing: 'right' },
  'POST /faults': { target: 'withdraw', kind: 'cut_after_commit', match: { user_reference: 'ada' } },
}
