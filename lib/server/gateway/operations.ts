/** The gateway's operations as a table: path, reply schema, and whether it may be retried. */
import type * as z from 'zod'
import {
  currenciesReply,
  depositAddressReply,
  onrampUrlReply,
  paymentSessionReply,
  transactionsReply,
  transactionsToShowReply,
  walletLinkReply,
  withdrawReply,
} from './schemas.ts'

export interface Operation<Reply> {
  /** The name in logs and metrics. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly reply: z.ZodType<Reply>
  /** True if it changes nothing at the gateway, so that it may be retried. */
  readonly read: boolean
  /**
   * True if it may arrive twice without harm. It is then sent over a kept-alive connection, although the gateway may
   * have just closed that connection.
   */
  readonly repeatable: boolean
  /** True if it pays out money: only a readable refusal counts as a refusal. */
  readonly movesMoney: boolean
}

const get = <Reply>(name: string, path: string, reply: z.ZodType<Reply>): Operation<Reply> => ({
  name,
  method: 'GET',
  path,
  reply,
  read: true,
  repeatable: true,
  movesMoney: false,
})
const list = <Reply>(name: string, path: string, reply: z.ZodType<Reply>): Operation<Reply> => ({
  ...get(name, path, reply),
  method: 'POST',
})
const act = <Reply>(name: string, path: string, reply: z.ZodType<Reply>): Operation<Reply> => ({
  ...list(name, path, reply),
  read: false,
  repeatable: false,
})

export const OPERATIONS = {
  listCurrencies: get('list_currencies', '/v1/merchant/currencies', currenciesReply),
  listUserTransactions: list('list_user_transactions', '/v1/user/transactions', transactionsReply),
  listMerchantTransactions: list('list_merchant_transactions', '/v1/merchant/transactions', transactionsReply),
  showUserTransactions: list('list_user_transactions', '/v1/user/transactions', transactionsToShowReply),
  showMerchantTransactions: list('list_merchant_transactions', '/v1/merchant/transactions', transactionsToShowReply),
  // If the reply is lost, the user's next visit asks again.
  createDepositAddress: {
    ...act('create_deposit_address', '/v1/user/deposit/address', depositAddressReply),
    repeatable: true,
  },
  linkExternalWallet: act('link_external_wallet', '/v1/user/deposit/link_external_wallet', walletLinkReply),
  createPaymentSession: act('create_payment_session', '/v1/user/payments', paymentSessionReply),
  getOnrampUrl: act('get_onramp_url', '/v1/user/onramp/get_url', onrampUrlReply),
  withdraw: { ...act('withdraw', '/v1/user/withdraw', withdrawReply), movesMoney: true },
}
