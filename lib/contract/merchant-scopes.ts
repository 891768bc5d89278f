/** What a key of the merchant API may do. `MERCHANT_API_KEY` has every scope. */
export const MERCHANT_SCOPES = ['sessions', 'read', 'adjust', 'decide', 'payouts'] as const
export type MerchantScope = (typeof MERCHANT_SCOPES)[number]
