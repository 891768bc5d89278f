import { z } from 'zod'
import type { Database } from './database.ts'

export const SESSION_STATUSES = ['created', 'pending', 'processing', 'succeeded', 'failed'] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

export const sessionSchema = z.object({
  seq: z.number(),
  uuid: z.string(),
  link_token: z.string(),
  kind: z.enum(['payment', 'legacy']),
  merchant_id: z.string(),
  user_reference: z.string().nullable(),
  custom_wallet_address: z.string().nullable(),
  correlation_key: z.string(),
  session_reference: z.string().nullable(),
  status: z.enum(SESSION_STATUSES),
  currency_id: z.string(),
  country: z.string(),
  amount: z.string().nullable(),
  fiat_currency: z.string().nullable(),
  redirect_url: z.string().nullable(),
  theme: z.enum(['light', 'dark']),
  metadata_json: z.string(),
  payment_method: z.string().nullable(),
  provider_transaction_id: z.string().nullable(),
  from_amount: z.string().nullable(),
  from_currency: z.string().nullable(),
  to_amount: z.string().nullable(),
  tx_hash: z.string().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
})

/**
 * An on-ramp session. `uuid` is the `transaction_uuid` of its events; `amount` and `fiat_currency` are fixed by the
 * request.
 */
export type OnrampSession = z.infer<typeof sessionSchema>

type Later = 'payment_method' | 'provider_transaction_id' | 'from_amount' | 'from_currency' | 'to_amount' | 'tx_hash'
export type NewSession = Omit<OnrampSession, 'seq' | 'status' | 'updated_at' | Later>
export type SessionChange = Partial<Pick<OnrampSession, 'status' | Later>>

export function insertSession(database: Database, made: NewSession): OnrampSession {
  database.run(
    `INSERT INTO sessions (uuid, link_token, kind, merchant_id, user_reference, custom_wallet_address, correlation_key,
       session_reference, status, currency_id, country, amount, fiat_currency, redirect_url, theme, metadata_json, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'created', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    made.uuid,
    made.link_token,
    made.kind,
    made.merchant_id,
    made.user_reference,
    made.custom_wallet_address,
    made.correlation_key,
    made.session_reference,
    made.currency_id,
    made.country,
    made.amount,
    made.fiat_currency,
    made.redirect_url,
    made.theme,
    made.metadata_json,
    made.created_at,
    made.created_at,
  )
  return sessionByUuid(database, made.uuid)
}

const found = (row: unknown): OnrampSession | null => (row === null ? null : sessionSchema.parse(row))

export const findSessionByToken = (database: Database, token: string): OnrampSession | null =>
  found(database.one('SELECT * FROM sessions WHERE link_token = ?', token))

/** By transaction uuid, link token, session reference or correlation key; the newest if several match. */
export const findSession = (database: Database, name: string): OnrampSession | null =>
  found(
    database.one(
      'SELECT * FROM sessions WHERE ?1 IN (uuid, link_token, session_reference, correlation_key) ORDER BY seq DESC LIMIT 1',
      name,
    ),
  )

/** The uuid of the session whose crypto was sent with this hash. */
export function sessionWithHash(database: Database, txHash: string | null): string | null {
  return found(database.one('SELECT * FROM sessions WHERE tx_hash = ?', txHash))?.uuid ?? null
}

function sessionByUuid(database: Database, uuid: string): OnrampSession {
  const session = findSession(database, uuid)
  if (!session) throw new RangeError(`no session ${uuid}`)
  return session
}

export function changeSession(
  database: Database,
  before: OnrampSession,
  change: SessionChange,
  now: number,
): OnrampSession {
  const after = { ...before, ...change }
  database.run(
    `UPDATE sessions SET status = ?, payment_method = ?, provider_transaction_id = ?, from_amount = ?, from_currency = ?,
       to_amount = ?, tx_hash = ?, updated_at = ? WHERE uuid = ?`,
    after.status,
    after.payment_method,
    after.provider_transaction_id,
    after.from_amount,
    after.from_currency,
    after.to_amount,
    after.tx_hash,
    now,
    before.uuid,
  )
  return sessionByUuid(database, before.uuid)
}

/** Newest first, of every merchant. */
export function listSessions(
  database: Database,
  userReference: string | null,
  limit: number,
): readonly OnrampSession[] {
  return database
    .all(
      'SELECT * FROM sessions WHERE (?1 IS NULL OR user_reference = ?1) ORDER BY seq DESC LIMIT ?2',
      userReference,
      limit,
    )
    .map((row) => sessionSchema.parse(row))
}
