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

/** Fixes by the result of the call; the first match counts. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [
    /status 40[13]/,
    'give the merchant the same MERCHANT_WEBHOOK_SECRET, and compare the clocks (docs/guides/backend.md, "The signature")',
  ],
  [/status 40[45]/, 'correct the path: no endpoint accepts a POST at it'],
  [/status 3\d\d/, 'redirects are not followed: set the target address of the redirect'],
  [/status 5\d\d/, "the merchant's backend fails: read its log"],
  [/the reply (is not|cannot be read)/, 'answer as described in docs/guides/backend.md, "Authorizing withdrawals"'],
  [/ENOTFOUND|EAI_AGAIN/, 'correct the host: this machine cannot resolve it'],
  [/no answer in time/, "find out why the merchant's backend is slow, or blocks this machine"],
]
const UNREACHED =
  "the connection is refused: start the merchant's backend, correct host and port, and let this machine reach it"

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
    return [ok(ABOUT, `MERCHANT_WEBHOOK_URL accepted a signed test (${status})`)]
  const reason = error ?? `status ${String(status)}`
  return [
    fault(ABOUT, `MERCHANT_WEBHOOK_URL did not accept a signed test (${reason}), so no event arrives`, fixFor(reason)),
  ]
}

/** A withdrawal of amount 0 for a test user: any decision of the merchant will do. */
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

/** Checks the merchant's two URLs, each with a signed test. */
export async function checkMerchant(options: CheckMerchantOptions): Promise<readonly Finding[]> {
  return [...(await checkAuthorization(options)), ...(await checkWebhook(options))]
}
