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
}

async function runCheck(group: Group, check: Check, bench: CheckContext, hasControl: boolean): Promise<Result> {
  const { name } = check
  if (check.needsControl && !hasControl) return { group, name, outcome: 'skipped', reason: null }
  try {
    await check.run(bench)
    return { group, name, outcome: 'passed', reason: null }
  } catch (error) {
    return { group, name, outcome: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Checks every statement of the spec against a gateway. With the control API it receives the merchant's webhooks while
 * it runs, and restores the merchant's webhook URL at the end.
 */
export async function runSuite(options: SuiteOptions): Promise<readonly Result[]> {
  const control = options.controlUrl === undefined ? null : await openControl(options.controlUrl, options.apiKey)
  const receiver = control ? await startReceiver(options.webhookHost ?? '127.0.0.1') : null
  const bench = createCheckContext({
    call: gatewayCaller(options),
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
        const result = await runCheck(group, check, bench, control !== null)
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
