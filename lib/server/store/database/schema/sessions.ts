/** Sessions of the page, the merchant's keys, and what requests have made. */
import type { Generated } from 'kysely'
import type { Theme } from '#lib/contract/cashier.ts'
import type { Locale } from '#lib/contract/locales.ts'
import type { SqlBoolean } from '../../../ledger/rows.ts'

export interface SessionsTable {
  id: string
  user_reference_id: string
  /** JSON */
  flows: string
  locale: Locale | null
  theme: Theme | null
  /** JSON */
  tokens: string | null
  support_url: string | null
  country: string | null
  /** JSON */
  currency_ids: string | null
  return_url: string | null
  /** Set by the launch. */
  time_zone: Generated<string | null>
  account_label: string | null
  merchant_name: string | null
  /** JSON */
  metadata: string | null
  own_wallet: Generated<SqlBoolean>
  created_ms: number
  /** When it was launched; null until the token is redeemed. The session's age counts from `created_ms`. */
  launched_ms: number | null
  last_used_ms: number
  ended_ms: number | null
}

export interface LaunchTokensTable {
  token_hash: string
  session_id: string
  expires_ms: number
  used_ms: number | null
}

/** Keys of the merchant API, beside `MERCHANT_API_KEY`. */
export interface MerchantKeysTable {
  id: string
  /** Unique without regard to case, by `name_key`, and never given again. */
  name: string
  name_key: string
  /** JSON */
  scopes: string
  /** SHA-256 of the key, hexadecimal. */
  key_hash: string
  /** The key's first characters. */
  shown: string
  created_ms: number
  /** An operator's name. */
  created_by: string
  /** Stored once a minute at most. */
  last_used_ms: number | null
  revoked_ms: number | null
  revoked_by: string | null
}

/** What a request of the page or of the merchant has made. */
export interface RequestEffectsTable {
  request_id: string
  kind: 'withdrawal' | 'session' | 'adjustment'
  /** Id of the withdrawal or the session; an adjustment's reference. */
  name: string
  user_reference_id: string
  created_ms: number
}
