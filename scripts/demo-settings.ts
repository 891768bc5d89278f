/** The environment variables of the demo's three programs, computed from ports, secrets and folder. */
export interface DemoPorts {
  readonly sandbox: number
  readonly cashier: number
  readonly shop: number
}

/** Created on the first run and stored, so that sessions and signatures survive a restart. */
export interface DemoSecrets {
  readonly sessionSecret: string
  readonly merchantApiKey: string
  /** `whsec_…` */
  readonly webhookSecret: string
  readonly gatewayApiKey: string
}

export interface DemoOptions {
  readonly ports: DemoPorts
  readonly secrets: DemoSecrets
  /** For data and keys. */
  readonly folder: string
  /** The shop authorizes each withdrawal and keeps the balances (ledger mode `merchant`); else the cashier's ledger. */
  readonly merchantDecides: boolean
  /** Origin of a backend that replaces the shop, with the routes of examples/backends. Without it the shop runs. */
  readonly backend?: string
}

/** The sandbox's name for the merchant, also in its webhooks. */
const MERCHANT = 'demo-merchant'

type Variables = Readonly<Record<string, string>>

export function demoUrls(ports: DemoPorts) {
  return {
    sandbox: `http://localhost:${ports.sandbox}`,
    cashier: `http://localhost:${ports.cashier}`,
    // A different site from the cashier's, like a real shop.
    shop: `http://127.0.0.1:${ports.shop}`,
  }
}

/** URL of the merchant's part of the demo. */
function merchantOf({ ports, merchantDecides, backend }: DemoOptions): Variables {
  const { shop } = demoUrls(ports)
  if (backend !== undefined)
    return {
      EMBED_ORIGINS: backend,
      MERCHANT_AUTHORIZE_URL: `${backend}/authorize`,
      MERCHANT_WEBHOOK_URL: `${backend}/webhook`,
    }
  return {
    EMBED_ORIGINS: shop,
    MERCHANT_AUTHORIZE_URL: merchantDecides ? `${shop}/merchant/authorize` : '',
    MERCHANT_WEBHOOK_URL: `${shop}/merchant/webhook`,
  }
}

/** The variables of a backend that replaces the shop (examples/backends). */
const backendEnvironment = ({ ports, secrets }: Pick<DemoOptions, 'ports' | 'secrets'>): Variables => ({
  CASHIER_URL: demoUrls(ports).cashier,
  MERCHANT_API_KEY: secrets.merchantApiKey,
  MERCHANT_WEBHOOK_SECRET: secrets.webhookSecret,
})

/** What a person reads who starts a backend of their own beside the demo. */
export function backendText(options: DemoOptions & { readonly backend: string }): string {
  const { backend } = options
  const url = demoUrls(options.ports)
  const { MERCHANT_WEBHOOK_URL = '', MERCHANT_AUTHORIZE_URL = '' } = merchantOf(options)
  const variables = Object.entries(backendEnvironment(options)).map(([name, value]) => `${name}=${value}`)
  return `
Start your backend in another terminal, at ${backend}:

  export ${variables.join(' ')}

  Your site                               ${backend}
  The cashier tells of events at          ${MERCHANT_WEBHOOK_URL}
  The cashier asks about withdrawals at   ${MERCHANT_AUTHORIZE_URL}
  The sandbox, to simulate transactions   ${url.sandbox}/control
  The sandbox opens your site at          ${backend}/sign-in?user=…
  The cashier (in your site's frame)      ${url.cashier}
`
}

/** Every variable is set, some to an empty text, so that `.env` and the shell cannot change the demo. */
export function demoEnvironments(options: DemoOptions): {
  readonly sandbox: Variables
  readonly cashier: Variables
  readonly shop: Variables
} {
  const { ports, secrets, folder, merchantDecides, backend } = options
  const url = demoUrls(ports)
  const keys = `${folder}/keys`
  return {
    sandbox: {
      NODE_ENV: 'development',
      SANDBOX_PORT: String(ports.sandbox),
      SANDBOX_DATA: `${folder}/sandbox.db`,
      SANDBOX_KEYS: keys,
      SANDBOX_MERCHANT_ID: MERCHANT,
      SANDBOX_API_KEY: secrets.gatewayApiKey,
      SANDBOX_WEBHOOK_URL: `${url.cashier}/api/webhooks/gateway`,
      SANDBOX_SHOP_URL: backend === undefined ? `${url.shop}/?user={user}` : `${backend}/sign-in?user={user}`,
      SANDBOX_CASHIER_URL: backend === undefined ? `${url.shop}/cashier?user={user}` : '',
    },
    cashier: {
      PORT: String(ports.cashier),
      HOST: 'localhost',
      PUBLIC_URL: url.cashier,
      DATABASE_URL: `file:${folder}/cashier.db`,
      DATABASE_REPLICATED: 'off',
      DATABASE_PARTITIONS: '',
      GATEWAY_BASE_URL: url.sandbox,
      GATEWAY_API_KEY: secrets.gatewayApiKey,
      GATEWAY_PRIVATE_KEY: `file:${keys}/merchant.private.pem`,
      GATEWAY_PUBLIC_KEY: `file:${keys}/gateway.public.pem`,
      GATEWAY_MERCHANT_REFERENCE: MERCHANT,
      GATEWAY_SIGN_QUERY: 'bare',
      GATEWAY_TIMEOUT_MS: '',
      GATEWAY_STATUS_WORDS: '',
      RECONCILE_CALLS_PER_S: '',
      WEBHOOK_TOLERANCE_S: '',
      SESSION_SECRET: secrets.sessionSecret,
      MERCHANT_API_KEY: secrets.merchantApiKey,
      SESSION_IDLE_S: '',
      SESSION_MAX_S: '',
      ONRAMP_ORIGINS: url.sandbox,
      DEPOSIT_LINKS: 'on',
      ONRAMP_LEGACY: '',
      // Low, so that users see the question for the last four characters; the sandbox's magic amounts are below it.
      WITHDRAWAL_CONFIRM_ABOVE: 'USDT=20,USDC=20,BTC=0.001,ETH=0.02,*=20',
      ...merchantOf(options),
      MERCHANT_WEBHOOK_SECRET: secrets.webhookSecret,
      // An hour in production; in the demo somebody waits for the result.
      WITHDRAWAL_ABSENCE_S: '30',
      LEDGER_START: '',
      OVERDUE_S: '',
      WITHDRAWAL_LIMITS: '',
      WITHDRAWAL_RULES: '',
      USER_CANCELLATION: '',
      DEPOSIT_MINIMUMS: '',
      VALUES: '',
      TWO_PERSONS_ABOVE: '',
      OPERATORS: '',
      DOCS: '',
      RATE_LIMIT: '',
      ALLOW_INSECURE_HTTP: '',
      DRAIN_S: '0',
      TRUST_PROXY: '',
      METRICS_TOKEN: '',
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      OTEL_EXPORTER_OTLP_PROTOCOL: '',
      OTEL_EXPORTER_OTLP_HEADERS: '',
      THEME_TOKENS: '',
      SUPPORT_URL: '',
      // The sandbox's transaction hashes exist on no blockchain.
      EXPLORER_URL: `${url.sandbox}/explorer/{network}/{hash}`,
      KEEP_STREAM_EVENTS_DAYS: '',
      KEEP_WEBHOOKS_DAYS: '',
      KEEP_SESSIONS_DAYS: '',
      KEEP_MERCHANT_EVENTS_DAYS: '',
      LOG_LEVEL: 'warn',
    },
    shop: {
      MERCHANT_HOST: '127.0.0.1',
      MERCHANT_PORT: String(ports.shop),
      CASHIER_URL: url.cashier,
      SANDBOX_URL: url.sandbox,
      MERCHANT_API_KEY: secrets.merchantApiKey,
      MERCHANT_WEBHOOK_SECRET: secrets.webhookSecret,
      MERCHANT_DECISION: merchantDecides ? 'postpone' : 'approve',
    },
  }
}
