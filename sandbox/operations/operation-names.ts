export const OPERATION_NAMES = [
  'currencies',
  'merchant_transactions',
  'deposit_address',
  'link_external_wallet',
  'withdraw',
  'user_transactions',
  'payments',
  'onramp_url',
] as const
export type OperationName = (typeof OPERATION_NAMES)[number]
