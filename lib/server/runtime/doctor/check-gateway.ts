import { isSameNetwork, settingOf, settingOnNetwork } from '#lib/addresses/index.ts'
import { createGatewayClient } from '../../gateway/client.ts'
import { isGatewayError, type GatewayError, type GatewayFailure } from '../../gateway/errors.ts'
import type { Config } from '../config/config.ts'
import { fault, note, ok, reasonOf, type Finding } from './finding.ts'
import { tlsFix } from './tls-fault.ts'

const NONCE =
  'each of our requests has a new UUID (36 characters) in the header X-API-Nonce, so something between the cashier and the gateway changes it: check the proxies in between. The keys are not the cause'

/** What to check for each message of the gateway's table of authentication failures. */
const AUTHENTICATION: Readonly<Record<string, string>> = {
  'invalid api key':
    'this gateway does not know GATEWAY_API_KEY: compare it with the Merchant Console, or with what the sandbox prints, and GATEWAY_BASE_URL too (test or live)',
  'missing api key':
    'something between the cashier and the gateway removes the header X-API-Key: check the proxies in between',
  'missing signature':
    'something between the cashier and the gateway removes the header X-API-Signature: check the proxies in between',
  'missing nonce':
    'something between the cashier and the gateway removes the header X-API-Nonce: check the proxies in between',
  'nonce too short': NONCE,
  'invalid nonce': NONCE,
  'multiple nonces':
    'something between the cashier and the gateway repeats the header X-API-Nonce: check the proxies in between',
  'invalid request signature':
    'upload the public half of GATEWAY_PRIVATE_KEY (its fingerprint is above) in the Merchant Console, or give it to the sandbox by --merchant-public-key. If it is there: the path of GATEWAY_BASE_URL is signed, so it must be the path that the gateway sees; with a query in it, try the other GATEWAY_SIGN_QUERY. A repeated nonce gets the same message: if this happens only sometimes, something in between sends requests twice',
  'timestamp expired': 'set the clock of this machine: see the clock below',
}

const FIXES: Readonly<Record<GatewayFailure, string>> = {
  authentication: 'compare GATEWAY_API_KEY and GATEWAY_PRIVATE_KEY with the Merchant Console',
  validation: 'this is not a known gateway: check GATEWAY_BASE_URL',
  forbidden: 'ask the operator of the gateway to enable this merchant',
  not_available: 'check GATEWAY_BASE_URL: the gateway has no list of currencies there',
  rate_limited: 'wait a minute and try again',
  rejected_with_transaction: 'this is not a known gateway: check GATEWAY_BASE_URL',
  rejected: 'check GATEWAY_BASE_URL, also its path: the gateway refuses the list of currencies there',
  unreachable: 'check GATEWAY_BASE_URL, and that this machine can reach it (name, firewall, certificate)',
  outcome_unknown: 'the gateway is slow or not working: try again, or raise GATEWAY_TIMEOUT_MS',
  unreadable: 'the answer is not from a known gateway: check GATEWAY_BASE_URL, also its path',
}

const fixFor = (error: GatewayError, reason: string): string =>
  (error.kind === 'authentication' ? AUTHENTICATION[error.message.trim().toLowerCase()] : undefined) ??
  tlsFix(reason) ??
  FIXES[error.kind]

export interface CheckGatewayOptions {
  readonly gateway: Config['gateway']
  readonly withdrawalConfirmAbove: Config['withdrawalConfirmAbove']
  readonly twoPersonsAbove: Config['twoPersonsAbove']
  readonly withdrawalLimits: Config['withdrawalLimits']
  readonly depositMinimums: Config['depositMinimums']
  readonly withdrawalRules: Config['withdrawalRules']
  readonly clock: () => number
  readonly newNonce: () => string
}

/** Names of a setting that no listed currency has: misspelled, they have no effect. */
function checkNames(
  variable: string,
  given: Iterable<string>,
  names: { readonly has: (name: string) => boolean; readonly listed: readonly string[]; readonly are: string },
): readonly Finding[] {
  const unknown = [...given].filter((name) => name !== '*' && !names.has(name))
  if (unknown.length === 0) return []
  return [
    fault(
      'gateway',
      `${variable} names ${unknown.join(', ')}, which the gateway does not list`,
      `write the ${names.are} as the gateway does: ${[...new Set(names.listed)].toSorted().join(', ')}`,
    ),
  ]
}

/** Requests the currencies with a signature, as the cashier does. */
export async function checkGateway({
  gateway,
  withdrawalConfirmAbove,
  twoPersonsAbove,
  withdrawalLimits,
  depositMinimums,
  withdrawalRules,
  clock,
  newNonce,
}: CheckGatewayOptions): Promise<readonly Finding[]> {
  const client = createGatewayClient({ ...gateway, clock, newNonce })
  try {
    const currencies = await client.listCurrencies()
    const { length } = currencies
    const listedCodes = currencies.map(({ currency_code }) => currency_code)
    const onNetworks = currencies.map(({ currency_code, network }) => `${currency_code}@${network}`)
    const hasCode = (name: string) => listedCodes.some((code) => code.toUpperCase() === name.toUpperCase())
    const hasCurrency = (name: string) =>
      currencies.some((currency) => settingOf(new Map([[name, true]]), currency, isSameNetwork))
    const codes = { has: hasCode, listed: listedCodes, are: 'codes' }
    const ids = currencies.map(({ id }) => id)
    const byCurrency = { has: hasCurrency, listed: [...onNetworks, ...ids], are: 'currencies' }
    const hasNetwork = (name: string) =>
      currencies.some((currency) => settingOnNetwork(new Map([[name, true]]), currency, isSameNetwork))
    const byRule = {
      has: (name: string) => hasCode(name) || hasNetwork(name),
      listed: [...listedCodes, ...onNetworks],
      are: 'names',
    }
    const found = [
      ok('gateway', `accepts our key and signature, and lists ${length} currencies`),
      ...checkNames('WITHDRAWAL_CONFIRM_ABOVE', Object.keys(withdrawalConfirmAbove), codes),
      ...checkNames('TWO_PERSONS_ABOVE', Object.keys(twoPersonsAbove), codes),
      ...checkNames('WITHDRAWAL_LIMITS', withdrawalLimits.keys(), byCurrency),
      ...checkNames('DEPOSIT_MINIMUMS', depositMinimums.keys(), byCurrency),
      ...checkNames('WITHDRAWAL_RULES', withdrawalRules.keys(), byRule),
    ]
    return length > 0 ? found : [...found, note('gateway', 'no currency is enabled for this merchant yet')]
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const reason = reasonOf(error)
    const message = error.kind === 'unreachable' ? reason : error.message
    const status = error.status === undefined ? '' : ` (${error.status})`
    return [fault('gateway', `the list of currencies failed${status}: ${message}`, fixFor(error, reason))]
  } finally {
    await client.close()
  }
}
