import { listCurrencies } from './currencies.ts'
import { createDepositAddress, linkExternalWallet } from './deposit-address.ts'
import { getOnrampUrl } from './onramp-url.ts'
import type { Operation } from './operation.ts'
import { createPaymentSession } from './payments.ts'
import { listMerchantTransactions, listUserTransactions } from './transactions.ts'
import { withdraw } from './withdraw.ts'

/** Spec, Endpoints. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'currencies', method: 'GET', path: '/v1/merchant/currencies', run: listCurrencies },
  { name: 'merchant_transactions', method: 'POST', path: '/v1/merchant/transactions', run: listMerchantTransactions },
  { name: 'deposit_address', method: 'POST', path: '/v1/user/deposit/address', run: createDepositAddress },
  {
    name: 'link_external_wallet',
    method: 'POST',
    path: '/v1/user/deposit/link_external_wallet',
    run: linkExternalWallet,
  },
  { name: 'withdraw', method: 'POST', path: '/v1/user/withdraw', run: withdraw },
  { name: 'user_transactions', method: 'POST', path: '/v1/user/transactions', run: listUserTransactions },
  { name: 'payments', method: 'POST', path: '/v1/user/payments', run: createPaymentSession },
  { name: 'onramp_url', method: 'POST', path: '/v1/user/onramp/get_url', run: getOnrampUrl },
]
