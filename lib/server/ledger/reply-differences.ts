import type { Decimal } from '#lib/contract/money.ts'
import { compareAddresses, compareAmounts, compareCurrencies, type Comparison } from './compare.ts'
import type { WithdrawalRow } from './rows.ts'

/** A reply to a withdrawal's call; null or an empty text is unknown. */
export interface StatedWithdrawal {
  readonly amount: Decimal | null
  /** The currency's code. */
  readonly currency: string | null
  readonly wallet_address: string | null
}

export type ReplyField = keyof StatedWithdrawal

type Asked = Pick<WithdrawalRow, 'amount' | 'currency_code' | 'network' | 'wallet_address'>

/** The reply names no network: both sides have that of the withdrawal. */
const compareCodes = (network: string, a: string, b: string): Comparison =>
  compareCurrencies({ currency_id: null, currency_code: a, network }, { currency_id: null, currency_code: b, network })

const COMPARE: Readonly<Record<ReplyField, (asked: Asked, reply: StatedWithdrawal) => Comparison>> = {
  // The reply's amount may be a JSON number that passed through a double.
  amount: (asked, reply) => compareAmounts(asked, { amount: reply.amount, inexact: true }),
  currency: ({ currency_code, network }, { currency }) =>
    currency === null || currency === '' ? 'unknown' : compareCodes(network, currency_code, currency),
  wallet_address: (asked, { wallet_address }) =>
    compareAddresses(asked.network, asked.wallet_address, wallet_address === '' ? null : wallet_address),
}

const FIELDS = Object.keys(COMPARE) as readonly ReplyField[]

/** The fields in which the gateway's reply to a withdrawal is not what was asked for; empty if nothing differs. */
export const replyDifferences = (asked: Asked, reply: StatedWithdrawal): readonly ReplyField[] =>
  FIELDS.filter((field) => COMPARE[field](asked, reply) === 'differ')
