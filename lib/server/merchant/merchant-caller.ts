import { MERCHANT_SCOPES, type MerchantScope } from '#lib/contract/merchant-scopes.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { Decider } from '../store/types.ts'

/** Who acts for the merchant, and what they may do. */
export interface MerchantCaller {
  /** What is stored with that which they settle. */
  readonly by: Decider
  readonly scopes: readonly MerchantScope[]
}

/** The merchant's backend, by `MERCHANT_API_KEY`. */
export const MERCHANT_BACKEND: MerchantCaller = { by: 'merchant', scopes: MERCHANT_SCOPES }

/** @throws Problem `scope_required` */
export function requireScope({ scopes }: MerchantCaller, scope: MerchantScope): void {
  if (!scopes.includes(scope)) throw new Problem('scope_required', `This call needs a key with the scope \`${scope}\`.`)
}
