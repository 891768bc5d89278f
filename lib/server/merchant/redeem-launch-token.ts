import type { CashierSession, Looks, Store } from '../store/port.ts'
import { hashLaunchToken, isOurLaunchToken } from './launch-token.ts'

export interface RedeemDeps {
  readonly sessions: Pick<Store['sessions'], 'redeemLaunchToken'>
  readonly secrets: readonly string[]
  readonly clock: () => number
}

export type Redeemed =
  | { readonly outcome: 'launched'; readonly session: CashierSession }
  /** `foreign`: we never made it. `spent`: used, too old, or its session is over. */
  | { readonly outcome: 'foreign' | 'spent' }

/** Launches the token's session, once. A token that is ours by its MAC but forgotten counts as spent. */
export async function redeemLaunchToken(deps: RedeemDeps, token: string, looks: Looks): Promise<Redeemed> {
  if (!isOurLaunchToken(token, deps.secrets)) return { outcome: 'foreign' }
  const redeemed = await deps.sessions.redeemLaunchToken(hashLaunchToken(token), deps.clock(), looks)
  return redeemed.outcome === 'launched' ? redeemed : { outcome: 'spent' }
}
