import { listCurrencies } from './currencies.ts'
import { createDepositAddress, depositAddressRequest, linkExternalWallet } from './deposit-address.ts'
import { getOnrampUrl, onrampUrlRequest } from './onramp-url.ts'
import type { Operation } from './operation.ts'
import { createPaymentSession, paymentSessionRequest } from './payments.ts'
import { listMerchantTransactions, listUserTransactions, merchantListRequest, userListRequest } from './transactions.ts'
import { withdraw, withdrawalRequest } from './withdraw.ts'

/** Spec, Endpoints. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'currencies', method: 'GET', path: '/v1/merchant/currencies', request: null, run: listCurrencies },
  {
    name: 'merchant_transactions',
    method: 'POST',
    path: '/v1/merchant/transactions',
    request: merchantListRequest,
    run: listMerchantTransactions,
  },
  {
    name: 'deposit_address',
    method: 'POST',
    path: '/v1/user/deposit/address',
    request: depositAddressRequest,
    run: createDepositAddress,
  },
  {
    name: 'link_external_wallet',
    method: 'POST',
    path: '/v1/user/deposit/link_external_wallet',
    request: depositAddressRequest,
    run: linkExternalWallet,
  },
  { name: 'withdraw', method: 'POST', path: '/v1/user/withdraw', request: withdrawalRequest, run: withdraw },
  {
    name: 'user_transactions',
    method: 'POST',
    path: '/v1/user/transactions',
    request: userListRequest,
    run: listUserTransactions,
  },
  {
    name: 'payments',
    method: 'POST',
    path: '/v1/user/payments',
    request: paymentSessionRequest,
    run: createPaymentSession,
  },
  {
    name: 'onramp_url',
    method: 'POST',
    path: '/v1/user/onramp/get_url',
    request: onrampUrlRequest,
    run: getOnrampUrl,
  },
]
