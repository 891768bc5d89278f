import { NETWORKS } from '../currencies/networks.ts'
import type { NetworkName } from '../currencies/networks.ts'
import { deterministicBytes } from '../currencies/deterministic-ids.ts'
import type { OperationName } from '../operations/operation-names.ts'
import type { OperationFaultKind } from './operation-faults.ts'

export interface MagicFault {
  readonly kind: OperationFaultKind
  readonly settings: Readonly<Record<string, unknown>>
}

/** Withdrawal amounts with exactly these four fractional digits; the integer part does not matter. */
export const MAGIC_FRACTIONS: Readonly<Record<string, MagicFault>> = {
  '0701': { kind: 'needs_approval', settings: {} },
  '0702': { kind: 'refuse', settings: {} },
  '0703': { kind: 'refuse_with_transaction', settings: {} },
  '0704': { kind: 'cut_before_commit', settings: {} },
  '0705': { kind: 'cut_after_commit', settings: {} },
  '0706': { kind: 'error_after_commit', settings: {} },
  '0707': { kind: 'garbage', settings: {} },
  '0708': { kind: 'fails_later', settings: {} },
  '0709': { kind: 'completes_later', settings: {} },
  '0711': { kind: 'silence', settings: {} },
  '0712': { kind: 'rate_limited', settings: {} },
  '0713': { kind: 'too_small', settings: {} },
  '0714': { kind: 'refuse_with_transaction', settings: { status: 500, failed: false } },
}

/** Faults that a withdrawal address causes with any amount; one address for each network. */
export const MAGIC_ADDRESS_KINDS = [
  'needs_approval',
  'refuse',
  'fails_later',
  'completes_later',
  'cut_after_commit',
] as const

export const magicAddress = (network: NetworkName, kind: (typeof MAGIC_ADDRESS_KINDS)[number]): string =>
  NETWORKS[network].encoding.write(deterministicBytes('magic', network, kind))

/** Users whose lists have faults. The reference may be followed by a hyphen and any text. */
export const MAGIC_USERS: Readonly<Record<string, MagicFault>> = {
  'qa-slow': { kind: 'delay', settings: { delay_ms: 5000 } },
  'qa-broken': { kind: 'error_before_commit', settings: { status: 500 } },
  'qa-garbage': { kind: 'garbage', settings: {} },
  'qa-cut': { kind: 'cut_before_commit', settings: {} },
  'qa-clamped': { kind: 'clamp_page', settings: { rows: 2 } },
  'qa-looping': { kind: 'repeat_cursor', settings: {} },
  'qa-lagging': { kind: 'lag', settings: { lag_ms: 60_000 } },
}

const ADDRESSES = new Map(
  (Object.keys(NETWORKS) as NetworkName[]).flatMap((network) =>
    MAGIC_ADDRESS_KINDS.map(
      (kind) => [magicAddress(network, kind), { kind, settings: {} } satisfies MagicFault] as const,
    ),
  ),
)

function byAmount(amount: unknown): MagicFault | null {
  const fraction = typeof amount === 'string' ? /^\d+\.(\d{4})0*$/.exec(amount)?.[1] : undefined
  return fraction === undefined ? null : (MAGIC_FRACTIONS[fraction] ?? null)
}

function byUser(user: unknown): MagicFault | null {
  if (typeof user !== 'string') return null
  return Object.entries(MAGIC_USERS).find(([name]) => user === name || user.startsWith(`${name}-`))?.[1] ?? null
}

/** The fault that the values of a call cause: the user of a list, or the address or amount of a withdrawal. */
export function magicFault(operation: OperationName, body: Readonly<Record<string, unknown>>): MagicFault | null {
  if (operation === 'user_transactions') return byUser(body['user_reference_id'])
  if (operation !== 'withdraw') return null
  const address = body['wallet_address']
  return (typeof address === 'string' ? ADDRESSES.get(address) : undefined) ?? byAmount(body['amount'])
}
