/** The meaning of each environment variable, for docs/reference/environment.md. Links are relative to that page. */
import type { Variables } from './variables.ts'

interface Meaning {
  readonly is: string
  /** The behaviour without it, if it has no default. */
  readonly unset?: string
}

const GATEWAY_LISTS =
  'calls a second of the gateway’s lists by [reconciliation](../explanation/money.md#reconciliation)'

export const VARIABLE_MEANINGS: Readonly<Record<keyof Variables, Meaning>> = {
  PORT: { is: 'port to listen on; 0 takes a free port' },
  HOST: { is: 'where to listen', unset: 'all addresses of the machine' },
  PUBLIC_URL: {
    is: 'the origin that users reach. Beyond localhost use https: browsers refuse the session cookie on http',
    unset: '`http://localhost:` and the port',
  },
  DATABASE_URL: { is: 'SQLite, or PostgreSQL; of several hosts, the one that accepts writes is used' },
  DATABASE_REPLICATED: { is: 'write to PostgreSQL only while its commits wait for a standby' },
  DATABASE_PARTITIONS: {
    is: 'hash partitions of each table by user; read when the tables are made, and kept: [partitions](../guides/operate.md#partitions)',
    unset: 'no partitions, or those that the tables have',
  },
  GATEWAY_BASE_URL: { is: 'the gateway; a path in it is part of the signed path' },
  GATEWAY_API_KEY: { is: 'our API key at the gateway' },
  GATEWAY_PRIVATE_KEY: { is: 'the merchant’s key that signs our calls, without a passphrase' },
  GATEWAY_PUBLIC_KEY: { is: 'the gateway’s key that signs its webhooks; any of several may have signed' },
  GATEWAY_MERCHANT_REFERENCE: {
    is: 'the gateway’s name for this merchant in its events: [whose event it is](../explanation/money.md#whose-event-it-is)',
    unset: 'the gateway’s list confirms events',
  },
  GATEWAY_SIGN_QUERY: { is: 'how a query enters the signature: `a=1` or `?a=1`' },
  GATEWAY_TIMEOUT_MS: { is: 'time limit of one gateway call, including retries of reads' },
  RECONCILE_CALLS_PER_S: { is: `${GATEWAY_LISTS}, all instances together` },
  WEBHOOK_TOLERANCE_S: { is: 'the oldest webhook that is applied' },
  SESSION_SECRET: { is: 'seals cookies and launch tokens. The first seals; all are accepted' },
  MERCHANT_API_KEY: { is: 'bearer key of the merchant’s backend; all are accepted' },
  SESSION_IDLE_S: { is: 'a session ends after this time without use; calls, pages and an open stream are use' },
  SESSION_MAX_S: { is: 'a session ends this long after its creation' },
  EMBED_ORIGINS: { is: 'who may frame the cashier', unset: 'nobody' },
  ONRAMP_ORIGINS: {
    is: 'origins for a purchase’s link and frame; `https:` allows any host',
    unset: 'no purchases',
  },
  DEPOSIT_LINKS: { is: 'offer the gateway’s page for another wallet' },
  ONRAMP_LEGACY: { is: 'use the gateway’s older `onramp/get_url` if it has no payment sessions' },
  MERCHANT_AUTHORIZE_URL: {
    is: '[asked before each withdrawal](merchant-api.md#calls-that-you-get); the merchant then keeps the ledger',
    unset: 'the cashier keeps the ledger',
  },
  MERCHANT_WEBHOOK_URL: {
    is: 'receives [each change of a transaction](merchant-api.md#calls-that-you-get)',
    unset: 'no webhook',
  },
  MERCHANT_WEBHOOK_SECRET: { is: 'signs our calls to these two', unset: 'required with either' },
  WITHDRAWAL_ABSENCE_S: {
    is: 'when a withdrawal’s [absence](../explanation/money.md#absence) from the gateway’s list counts',
  },
  LEDGER_START: {
    is: 'what the gateway inserted before it is shown in the history and booked nowhere. The database keeps its first value; another is refused',
    unset: 'the database’s own: a day before it was made',
  },
  OVERDUE_S: { is: 'what has waited this long for the gateway is reported as `overdue`: a person may end it' },
  GATEWAY_STATUS_WORDS: {
    is: 'the meaning of further [statuses](../internal/gateway.md#record-states), in any case; they come before that rule',
  },
  WITHDRAWAL_CONFIRM_ABOVE: {
    is: 'above these amounts the page asks for the [end of the address](../explanation/page-api.md#covered-buttons)',
    unset: 'never asked',
  },
  WITHDRAWAL_LIMITS: {
    is: 'what the page [says before a withdrawal](../explanation/page-api.md#expectations); enforced by nobody here',
  },
  WITHDRAWAL_RULES: {
    is: 'which withdrawals [wait](../explanation/money.md#rules) for a person, or for a time; not with `MERCHANT_AUTHORIZE_URL`',
  },
  USER_CANCELLATION: { is: 'users may cancel a withdrawal while it waits' },
  DEPOSIT_MINIMUMS: { is: 'the same before a deposit' },
  VALUES: { is: 'show what amounts are worth in US dollars' },
  TWO_PERSONS_ABOVE: {
    is: 'above these amounts `sent`, `not_sent` and payout owners in the console need two persons; merchant API calls do not',
    unset: 'one',
  },
  OPERATORS: { is: 'the console at `/operate`, once somebody was invited' },
  DOCS: { is: 'the merchant API as a page at `/docs`, for everybody' },
  ALLOW_INSECURE_HTTP: {
    is: 'allow http beyond this machine for `GATEWAY_BASE_URL`, `EMBED_ORIGINS` and the merchant’s two addresses',
  },
  DRAIN_S: { is: 'after SIGTERM: keep serving for this time, with `/api/health/ready` at 503' },
  RATE_LIMIT: { is: 'the [rate limits](problem-codes.md#rate-limits)' },
  TRUST_PROXY: { is: 'which entry of `X-Forwarded-For`, from the right, is the client' },
  METRICS_TOKEN: {
    is: 'bearer token of `/api/metrics`',
    unset: 'direct calls from this machine are answered, others get 404',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    is: 'where [traces](../guides/operate.md#traces) go; `/v1/traces` is added',
    unset: 'no traces',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: { is: 'their form' },
  OTEL_EXPORTER_OTLP_HEADERS: { is: 'headers for the receiver, percent-encoded', unset: 'none' },
  THEME_TOKENS: { is: 'default of a session’s `tokens`', unset: 'none' },
  SUPPORT_URL: { is: 'default of a session’s `support_url`', unset: 'none' },
  EXPLORER_URL: { is: 'a transaction’s page at your own explorer, for all networks', unset: 'the public explorers' },
  LOG_LEVEL: { is: 'the lowest level that is logged' },
  KEEP_STREAM_EVENTS_DAYS: { is: 'retention of live stream events' },
  KEEP_WEBHOOKS_DAYS: { is: 'retention of raw webhooks and settled quarantine' },
  KEEP_SESSIONS_DAYS: { is: 'retention of sessions after their last use; never shorter than `SESSION_MAX_S`' },
  KEEP_MERCHANT_EVENTS_DAYS: { is: 'retention of the events feed; never shorter than 4 days' },
}
