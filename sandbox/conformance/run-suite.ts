import { createCheckContext } from './check-context.ts'
import type { CheckContext } from './check-context.ts'
import { GROUPS } from './check.ts'
import type { Check, Group } from './check.ts'
import { addressChecks } from './checks-addresses.ts'
import { authenticationChecks } from './checks-authentication.ts'
import { currencyChecks } from './checks-currencies.ts'
import { paymentChecks } from './checks-payments.ts'
import { transactionChecks } from './checks-transactions.ts'
import { webhookChecks } from './checks-webhooks.ts'
import { withdrawalChecks } from './checks-withdrawals.ts'
import { openControl } from './control.ts'
import { recordedCalls } from './exchanges.ts'
import type { Exchange } from './exchanges.ts'
import { gatewayCaller } from './gateway.ts'
import type { GatewayAddress } from './gateway.ts'
import { startReceiver } from './receiver.ts'

const DEFAULT_WEBHOOK_TIMEOUT_MS = 5000

const CHECKS: Readonly<Record<Group, readonly Check[]>> = {
  authentication: authenticationChecks,
  currencies: currencyChecks,
  addresses: addressChecks,
  withdrawals: withdrawalChecks,
  transactions: transactionChecks,
  payments: paymentChecks,
  webhooks: webhookChecks,
}

export interface SuiteOptions extends GatewayAddress {
  /** Such as `http://localhost:4010/control`. */
  readonly controlUrl?: string | undefined
  /** The host name under which the gateway reaches this process. */
  readonly webhookHost?: string
  /** The longest wait for a webhook; 5 s by default. */
  readonly webhookTimeoutMs?: number
  readonly groups?: readonly Group[]
  readonly onResult?: (result: Result) => void
}

export interface Result {
  readonly group: Group
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed. */
  readonly reason: string | null
  /** Its calls with their answers. */
  readonly exchanges: readonly Exchange[]
  /** The bodies of the webhooks that came meanwhile. */
  readonly webhooks: readonly string[]
}

type Outcome = Pick<Result, 'outcome' | 'reason'>

async function outcomeOf(check: Check, bench: CheckContext, hasControl: boolean): Promise<Outcome> {
  if (check.needsControl && !hasControl) return { outcome: 'skipped', reason: null }
  try {
    await check.run(bench)
    return { outcome: 'passed', reason: null }
  } catch (error) {
    return { outcome: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Checks every statement of the spec against a gateway. With the control API it receives the merchant's webhooks while
 * it runs, and restores the merchant's webhook URL at the end.
 */
export async function runSuite(options: SuiteOptions): Promise<readonly Result[]> {
  const control = options.controlUrl === undefined ? null : await openControl(options.controlUrl, options.apiKey)
  const receiver = control ? await startReceiver(options.webhookHost ?? '127.0.0.1') : null
  let exchanges: Exchange[] = []
  const bench = createCheckContext({
    call: recordedCalls(gatewayCaller(options), (exchange) => exchanges.push(exchange)),
    control,
    receiver,
    webhookTimeoutMs: options.webhookTimeoutMs ?? DEFAULT_WEBHOOK_TIMEOUT_MS,
  })
  const setWebhookUrl = async (url: string | null): Promise<void> => {
    await control?.call('PATCH', `/merchants/${control.merchant.id}`, { webhook_url: url })
  }
  const results: Result[] = []
  try {
    await setWebhookUrl(receiver?.url ?? null)
    for (const group of options.groups ?? GROUPS) {
      for (const check of CHECKS[group]) {
        exchanges = []
        const received = receiver?.received.length ?? 0
        const outcome = await outcomeOf(check, bench, control !== null)
        const webhooks = (receiver?.received ?? []).slice(received).map(({ raw }) => raw.toString('utf8'))
        const result = { group, name: check.name, ...outcome, exchanges, webhooks }
        results.push(result)
        options.onResult?.(result)
      }
    }
  } finally {
    await setWebhookUrl(control?.merchant.webhookUrl ?? null)
    await receiver?.close()
  }
  return results
}
