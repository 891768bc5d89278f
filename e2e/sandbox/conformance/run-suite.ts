import { makeBench } from './bench.ts'
import type { Bench } from './bench.ts'
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

const USUAL_PATIENCE_MS = 5000

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
  /** Where this process can be reached by the gateway. */
  readonly webhookHost?: string
  /** How long a webhook may take; 5 s when left out. */
  readonly patienceMs?: number
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

async function judge(group: Group, check: Check, bench: Bench, hasControl: boolean): Promise<Result> {
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
 * Tries every statement of the spec on a gateway. With control routes it points the merchant's webhooks
 * to itself while it runs, and puts them back.
 */
export async function runSuite(options: SuiteOptions): Promise<readonly Result[]> {
  const control = options.controlUrl === undefined ? null : await openControl(options.controlUrl, options.apiKey)
  const receiver = control ? await startReceiver(options.webhookHost ?? '127.0.0.1') : null
  const bench = makeBench({
    call: gatewayCaller(options),
    control,
    receiver,
    patienceMs: options.patienceMs ?? USUAL_PATIENCE_MS,
  })
  const pointAt = async (url: string | null): Promise<void> => {
    await control?.call('PATCH', `/merchants/${control.merchant.id}`, { webhook_url: url })
  }
  const results: Result[] = []
  try {
    await pointAt(receiver?.url ?? null)
    for (const group of options.groups ?? GROUPS) {
      for (const check of CHECKS[group]) {
        const result = await judge(group, check, bench, control !== null)
        results.push(result)
        options.onResult?.(result)
      }
    }
  } finally {
    await pointAt(control?.merchant.webhookUrl ?? null)
    await receiver?.close()
  }
  return results
}
