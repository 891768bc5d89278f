import { askMerchant } from '../../merchant/ask-authorization.ts'
import { createSendTestEvent } from '../../merchant/send-test-event.ts'
import type { Config } from '../config/config.ts'
import { fault, ok, type Finding } from './finding.ts'

const ABOUT = 'merchant'
const TIMEOUT_MS = 10_000

export interface CheckMerchantOptions {
  readonly config: Pick<Config, 'merchantAuthorizeUrl' | 'merchantWebhookUrl' | 'merchantWebhookSecrets'>
  readonly clock: () => number
  readonly newId: () => string
  readonly fetch: typeof globalThis.fetch
}

const FIX =
  'check the address, that this machine can reach it, and that the merchant has the same MERCHANT_WEBHOOK_SECRET'

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
  return [fault(ABOUT, `MERCHANT_WEBHOOK_URL refused a signed test (${error ?? `status ${String(status)}`})`, FIX)]
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
  return [fault(ABOUT, `MERCHANT_AUTHORIZE_URL does not decide, so every withdrawal is declined: ${reason}`, FIX)]
}

/** The merchant's two addresses, each with a signed test. */
export async function checkMerchant(options: CheckMerchantOptions): Promise<readonly Finding[]> {
  return [...(await checkAuthorization(options)), ...(await checkWebhook(options))]
}
