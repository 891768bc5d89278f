/** Increased with every change of the tables below. */
export const SCHEMA_VERSION = 3

/** Times are milliseconds of the gateway's clock, amounts are decimal texts, `*_json` columns hold JSON text. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS overrides (name TEXT PRIMARY KEY, value_json TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS nonces (
  merchant_id TEXT NOT NULL, nonce TEXT NOT NULL, used_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, nonce)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS addresses (
  address TEXT NOT NULL, currency_id TEXT NOT NULL, merchant_id TEXT NOT NULL, user_reference TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, user_reference, currency_id)
) STRICT;
CREATE INDEX IF NOT EXISTS addresses_by_address ON addresses (address);

CREATE TABLE IF NOT EXISTS transactions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE, merchant_id TEXT NOT NULL, user_reference TEXT NOT NULL,
  type TEXT NOT NULL, status TEXT NOT NULL, merchant_status TEXT NOT NULL,
  amount TEXT NOT NULL, currency_id TEXT NOT NULL,
  from_address TEXT, to_address TEXT NOT NULL, tx_hash TEXT,
  provider_transaction_id TEXT, failure_reason TEXT, requires_approval INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, completed_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS transactions_by_user ON transactions (merchant_id, user_reference, inserted_at, seq);
CREATE INDEX IF NOT EXISTS transactions_by_time ON transactions (merchant_id, inserted_at, seq);

CREATE TABLE IF NOT EXISTS sessions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE, link_token TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
  merchant_id TEXT NOT NULL, user_reference TEXT, custom_wallet_address TEXT,
  correlation_key TEXT NOT NULL, session_reference TEXT, status TEXT NOT NULL,
  currency_id TEXT NOT NULL, country TEXT NOT NULL, amount TEXT, fiat_currency TEXT,
  redirect_url TEXT, theme TEXT NOT NULL, metadata_json TEXT NOT NULL,
  payment_method TEXT, provider_transaction_id TEXT, from_amount TEXT, from_currency TEXT, to_amount TEXT, tx_hash TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS sessions_by_hash ON sessions (tx_hash);

CREATE TABLE IF NOT EXISTS webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  merchant_id TEXT NOT NULL, event TEXT NOT NULL, transaction_uuid TEXT NOT NULL, status TEXT NOT NULL, ordering_key TEXT NOT NULL,
  body TEXT NOT NULL, signing TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL, created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS webhooks_waiting ON webhooks (state, due_at);
CREATE INDEX IF NOT EXISTS webhooks_by_transaction ON webhooks (transaction_uuid);

CREATE TABLE IF NOT EXISTS webhook_attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  url TEXT NOT NULL, sent_at INTEGER NOT NULL, x_timestamp TEXT NOT NULL,
  response_status INTEGER, response_body TEXT, error TEXT, took_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS webhook_attempts_by_webhook ON webhook_attempts (webhook_id);

CREATE TABLE IF NOT EXISTS faults (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  target TEXT NOT NULL, kind TEXT NOT NULL, match_json TEXT NOT NULL, settings_json TEXT NOT NULL,
  remaining INTEGER, used INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE IF NOT EXISTS calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL, merchant_id TEXT, operation TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
  query TEXT NOT NULL, nonce TEXT, body TEXT NOT NULL, user_reference TEXT,
  authentic INTEGER NOT NULL DEFAULT 0, committed INTEGER NOT NULL DEFAULT 0, fault TEXT,
  transaction_uuid TEXT, response_status INTEGER, took_ms INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS calls_by_operation ON calls (operation, id);
CREATE INDEX IF NOT EXISTS calls_by_user ON calls (user_reference, id);

CREATE TABLE IF NOT EXISTS scheduled_actions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, action TEXT NOT NULL, subject TEXT NOT NULL, due_at INTEGER NOT NULL
) STRICT;
`

/** The tables that a reset empties. */
export const TABLES = [
  'overrides',
  'nonces',
  'addresses',
  'transactions',
  'sessions',
  'webhook_attempts',
  'webhooks',
  'faults',
  'calls',
  'scheduled_actions',
] as const
