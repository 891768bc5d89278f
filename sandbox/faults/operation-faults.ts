import { z } from 'zod'
import { NO_EFFECTS, NO_LIST_EFFECTS, NO_PAYOUT_EFFECTS } from './effects.ts'
import type { Effects, CallOutcome } from './effects.ts'

interface FaultKind {
  readonly settings: z.ZodType
  /** The fault's effects for parsed settings. */
  readonly effects: (settings: unknown) => Effects
}

function kind<Settings extends z.ZodType>(
  settings: Settings,
  effects: (read: z.infer<Settings>) => Partial<Effects>,
): FaultKind {
  return { settings, effects: (given) => ({ ...NO_EFFECTS, ...effects(settings.parse(given)) }) }
}

const milliseconds = z.int().min(0).max(600_000)
const errorStatus = z.int().min(400).max(599)
const none = z.strictObject({})

const raw = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): CallOutcome => ({
  kind: 'raw',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text,
})

const failure = (status: number): CallOutcome =>
  raw(status, JSON.stringify({ error: true, message: 'internal error', request_id: 'fault' }))

/** Every fault of an operation, by name. `docs/guides/test.md` describes them. */
export const OPERATION_FAULTS = {
  delay: kind(
    z.strictObject({ delay_ms: milliseconds.default(3000), when: z.enum(['before', 'after']).default('before') }),
    (read) => (read.when === 'before' ? { delayBeforeMs: read.delay_ms } : { delayAfterMs: read.delay_ms }),
  ),
  cut_before_commit: kind(none, () => ({ before: { kind: 'cut' } })),
  cut_after_commit: kind(none, () => ({ after: () => ({ kind: 'cut' }) })),
  cut_mid_reply: kind(none, () => ({ after: (reply) => ({ kind: 'cut_mid_reply', reply }) })),
  error_before_commit: kind(z.strictObject({ status: errorStatus.default(503) }), (read) => ({
    before: failure(read.status),
  })),
  error_after_commit: kind(z.strictObject({ status: errorStatus.default(500) }), (read) => ({
    after: () => failure(read.status),
  })),
  garbage: kind(none, () => ({ after: () => raw(200, '<html>{"amount": 1e', { 'content-type': 'text/html' }) })),
  wrong_shape: kind(none, () => ({ after: () => raw(200, '{"ok":true,"data":[null]}') })),
  oversized: kind(z.strictObject({ bytes: z.int().min(1).max(64_000_000).default(3_000_000) }), (read) => ({
    after: () => raw(200, `{"padding":"${'x'.repeat(read.bytes)}"}`),
  })),
  redirect: kind(
    z.strictObject({
      status: z.int().min(300).max(308).default(307),
      location: z.string().default('http://127.0.0.1:9/'),
    }),
    (read) => ({ before: raw(read.status, '', { location: read.location }) }),
  ),
  rate_limited: kind(z.strictObject({ retry_after_s: z.int().min(0).max(3600).default(1) }), (read) => ({
    before: raw(429, '{"message":"too many requests"}', { 'retry-after': String(read.retry_after_s) }),
  })),
  silence: kind(z.strictObject({ when: z.enum(['before', 'after']).default('after') }), (read) =>
    read.when === 'before' ? { before: { kind: 'silence' } } : { after: () => ({ kind: 'silence' }) },
  ),
  refuse: kind(
    z.strictObject({
      status: errorStatus.default(400),
      message: z.string().default('insufficient funds in the hot wallet'),
    }),
    (read) => ({
      before: raw(read.status, JSON.stringify({ error: true, message: read.message, request_id: 'fault' })),
    }),
  ),
  refuse_with_transaction: kind(
    z.strictObject({
      status: errorStatus.default(400),
      message: z.string().default('the transfer could not be made'),
      failed: z.boolean().default(true),
    }),
    (read) => ({
      payout: {
        ...NO_PAYOUT_EFFECTS,
        failure: { httpStatus: read.status, message: read.message, failed: read.failed },
      },
    }),
  ),
  too_small: kind(none, () => ({ payout: { ...NO_PAYOUT_EFFECTS, tooSmall: true } })),
  needs_approval: kind(none, () => ({ payout: { ...NO_PAYOUT_EFFECTS, needsApproval: true } })),
  completes_later: kind(z.strictObject({ delay_ms: milliseconds.default(1000) }), (read) => ({
    payout: { ...NO_PAYOUT_EFFECTS, later: { action: 'complete_payout', afterMs: read.delay_ms } },
  })),
  fails_later: kind(z.strictObject({ delay_ms: milliseconds.default(1000) }), (read) => ({
    payout: { ...NO_PAYOUT_EFFECTS, later: { action: 'fail_payout', afterMs: read.delay_ms } },
  })),
  clamp_page: kind(z.strictObject({ rows: z.int().min(1).max(1000).default(2) }), (read) => ({
    list: { ...NO_LIST_EFFECTS, clampTo: read.rows },
  })),
  repeat_cursor: kind(none, () => ({ list: { ...NO_LIST_EFFECTS, repeatCursor: true } })),
  lag: kind(z.strictObject({ lag_ms: z.int().min(0).max(86_400_000).default(60_000) }), (read) => ({
    list: { ...NO_LIST_EFFECTS, lagMs: read.lag_ms },
  })),
  wrong_count: kind(z.strictObject({ by: z.int().min(-1000).max(1000).default(1) }), (read) => ({
    list: { ...NO_LIST_EFFECTS, countOffset: read.by },
  })),
} as const satisfies Readonly<Record<string, FaultKind>>

export type OperationFaultKind = keyof typeof OPERATION_FAULTS

export const isOperationFault = (name: string): name is OperationFaultKind => Object.hasOwn(OPERATION_FAULTS, name)
