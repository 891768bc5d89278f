import { z } from 'zod'
import { isAboveZero } from '../money/decimal.ts'
import type { Database } from './database.ts'

const milliseconds = z.int().min(0).max(86_400_000)
const automatic = milliseconds.nullable()

/** The modes of the sandbox. They are set at start and can be changed while it runs (docs/guides/test.md). */
export const modesSchema = z.strictObject({
  clock_offset_ms: z.int().min(-3e12).max(3e12),
  query_form: z.enum(['bare', 'question-mark', 'either']),
  currencies_form: z.enum(['array', 'object']),
  currency_list: z.enum(['usual', 'long', 'one', 'empty']),
  approval_above: z.string().refine(isAboveZero).nullable(),
  check_wallet_addresses: z.boolean(),
  magic_values: z.boolean(),
  payouts_complete_after_ms: automatic,
  deposits_confirm_after_ms: automatic,
  onramp_picks_up: z.enum(['on_open', 'on_create']),
  onramp_delivers_after_ms: automatic,
  onramp_expires_after_ms: automatic,
  onramp_deposit: z.enum(['after', 'before', 'off']),
  widget_redirect: z.enum(['on', 'off']),
  widget_link: z.enum(['usual', 'elsewhere']),
  failure_webhooks: z.boolean(),
  status_words: z.enum(['usual', 'others']),
  page_size: z.int().min(1).max(10_000),
  page_limit: z.int().min(1).max(10_000),
  page_over_limit: z.enum(['clamp', 'refuse']),
  webhooks: z.enum(['on', 'off']),
  webhook_timeout_ms: milliseconds,
  webhook_retries_ms: z.array(milliseconds).max(50),
})

export type Modes = z.infer<typeof modesSchema>

export const modeChangesSchema = modesSchema.partial()
export type ModeChanges = z.infer<typeof modeChangesSchema>

export const DEFAULT_MODES: Modes = {
  clock_offset_ms: 0,
  query_form: 'bare',
  currencies_form: 'array',
  currency_list: 'usual',
  approval_above: '1000',
  check_wallet_addresses: true,
  magic_values: true,
  payouts_complete_after_ms: null,
  deposits_confirm_after_ms: null,
  onramp_picks_up: 'on_open',
  onramp_delivers_after_ms: null,
  onramp_expires_after_ms: null,
  onramp_deposit: 'after',
  widget_redirect: 'off',
  widget_link: 'usual',
  failure_webhooks: false,
  status_words: 'usual',
  page_size: 20,
  page_limit: 100,
  page_over_limit: 'clamp',
  webhooks: 'on',
  webhook_timeout_ms: 10_000,
  webhook_retries_ms: [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000],
}

export interface ModeStore {
  readonly read: () => Modes
  /** Changes some modes. The change survives restarts, until a reset. */
  readonly change: (changes: ModeChanges) => Modes
  /** Clears the cache, so that the next read uses the database. */
  readonly invalidate: () => void
}

const OVERRIDE_NAME = 'modes'

/** The modes with which the process was started, with the changes since the last reset. */
export function openModes(database: Database, atStart: ModeChanges): ModeStore {
  let current: Modes | null = null
  const overrides = (): ModeChanges => {
    const row = database.one('SELECT value_json FROM overrides WHERE name = ?', OVERRIDE_NAME)
    return row ? modeChangesSchema.parse(JSON.parse(String(row['value_json']))) : {}
  }
  const read = (): Modes => (current ??= modesSchema.parse({ ...DEFAULT_MODES, ...atStart, ...overrides() }))
  return {
    read,
    change(changes) {
      const value = JSON.stringify({ ...overrides(), ...changes })
      database.run(
        'INSERT INTO overrides VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value_json = excluded.value_json',
        OVERRIDE_NAME,
        value,
      )
      current = null
      return read()
    },
    invalidate() {
      current = null
    },
  }
}
