import { askMerchant } from '../../merchant/ask-authorization.ts'
import { createSendTestEvent } from '../../merchant/send-test-event.ts'
import type { Config } from '../config/config.ts'
import { fault, ok, type Finding } from './finding.ts'
import { tlsFix } from './tls-fault.ts'

const ABOUT = 'merchant'
const TIMEOUT_MS = 10_000

export interface CheckMerchantOptions {
  readonly config: Pick<Config, 'merchantAuthorizeUrl' | 'merchantWebhookUrl' | 'merchantWebhookSecrets'>
  readonly clock: () => number
  readonly newId: () => string
  readonly fetch: typeof globalThis.fetch
}

/** By what came back, in the order in which it is looked for. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [
    /status 40[13]/,
    'give the merchant the same MERCHANT_WEBHOOK_SECRET, and compare the clocks (docs/guides/backend.md, "The signature")',
  ],
  [/status 40[45]/, 'correct the path: nothing takes a POST there'],
  [/status 3\d\d/, 'redirects are not followed: set the address that it points to'],
  [/status 5\d\d/, "look into the log of the merchant's backend: it fails"],
  [/the reply (is not|cannot be read)/, 'answer as docs/guides/backend.md, "Authorizing withdrawals", says'],
  [/ENOTFOUND|EAI_AGAIN/, 'correct the host: this machine finds no address for that name'],
  [/no answer in time/, "see why the merchant's backend is slow, or does not let this machine in"],
]
const UNREACHED =
  "nothing takes the connection: start the merchant's backend, correct host and port, and let this machine reach it"

const fixFor = (reason: string): string => FIXES.find(([what]) => what.test(reason))?.[1] ?? tlsFix(reason) ?? UNREACHED

async function checkWebhook(options: CheckMerchantOptions): Promise<readonly Finding[]> {
  const { config, ...rest } = options
  if (config.merchantWebhookUrl === null) return []
  const send = createSendTestEvent({
    ...rest,
    url: config.merchantWebhookUrl,
    secrets: config.merchantWebhookSecrets,
    timeoutMs: TIMEOUT_MS,
  })
  const { status, error } = await send()
  if (status !== null && status >= 200 && status < 300)
    return [ok(ABOUT, `MERCHANT_WEBHOOK_URL took a signed test (${status})`)]
  const reason = error ?? `status ${String(status)}`
  return [
    fault(ABOUT, `MERCHANT_WEBHOOK_URL did not take a signed test (${reason}), so no event arrives`, fixFor(reason)),
  ]
}

/** Nobody's withdrawal of nothing: the merchant may decide as it likes, if only it answers. */
const test = (id: string) => ({
  withdrawal_id: `test_${id}`,
  user_reference_id: 'test',
  amount: '0',
  currency: { id: '00000000-0000-0000-0000-000000000000', currency_code: 'TEST', network: 'TEST' },
  wallet_address: 'test',
})

async function checkAuthorization({ config, clock, newId, fetch }: CheckMerchantOptions): Promise<readonly Finding[]> {
  if (config.merchantAuthorizeUrl === null) return []
  const secrets = config.merchantWebhookSecrets
  const { answered, decision, reason } = await askMerchant(
    { url: config.merchantAuthorizeUrl, secrets, fetch, clock },
    test(newId()),
  )
  if (answered) return [ok(ABOUT, `MERCHANT_AUTHORIZE_URL decides: a signed test got ${decision}`)]
  return [
    fault(ABOUT, `MERCHANT_AUTHORIZE_URL does not decide, so every withdrawal is declined: ${reason}`, fixFor(reason)),
  ]
}

/** The merchant's two addresses, each with a signed test. */
export async function checkMerchant(options: CheckMerchantOptions): Promise<readonly Finding[]> {
  return [...(await checkAuthorization(options)), ...(await checkWebhook(options))]
}
