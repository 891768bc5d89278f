import type { CashierSession, LaunchAppearance, Store } from '../store/types.ts'
import { hashLaunchToken, isOurLaunchToken } from './launch-token.ts'

export interface RedeemDeps {
  readonly sessions: Pick<Store['sessions'], 'redeemLaunchToken'>
  readonly secrets: readonly string[]
  readonly clock: () => number
}

export type Redeemed =
  | { readonly outcome: 'launched'; readonly session: CashierSession }
  /** `foreign`: we never made it. `spent`: used, expired, or its session has ended. */
  | { readonly outcome: 'foreign' | 'spent' }

/**
 * Launches the token's session, once. A deleted token with a valid MAC counts as spent.
 * @param count called only for our own tokens: forged tokens must not use up a limit
 */
export async function redeemLaunchToken(
  deps: RedeemDeps,
  token: string,
  appearance: LaunchAppearance,
  count: () => Promise<void>,
): Promise<Redeemed> {
  if (!isOurLaunchToken(token, deps.secrets)) return { outcome: 'foreign' }
  await count()
  const redeemed = await deps.sessions.redeemLaunchToken(hashLaunchToken(token), deps.clock(), appearance)
  return redeemed.outcome === 'launched' ? redeemed : { outcome: 'spent' }
}
