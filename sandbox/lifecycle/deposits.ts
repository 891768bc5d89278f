import type { Context } from '../context.ts'
import type { Currency } from '../currencies/catalogue.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { deterministicBytes } from '../currencies/deterministic-ids.ts'
import { getOrCreateAddress } from '../state/addresses.ts'
import type { AddressOwner } from '../state/addresses.ts'
import { STATUS, changeTransaction, findTransaction, insertTransaction } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'
import { emitTransfer } from '../webhooks/emit.ts'
import { HttpError } from '../http/http-error.ts'

export interface DetectedDeposit {
  readonly owner: AddressOwner
  readonly currency: Currency
  readonly amount: string
  readonly fromAddress?: string | undefined
  readonly txHash?: string | undefined
}

/** A transfer to the user's address appears on the chain: a new deposit in processing, and its event. */
export function detectDeposit(context: Context, deposit: DetectedDeposit): Transaction {
  const { database } = context
  const { owner, currency } = deposit
  const uuid = context.uuid()
  const { encoding } = NETWORKS[currency.network]
  const now = context.now()
  const made = insertTransaction(database, {
    uuid,
    merchant_id: owner.merchantId,
    user_reference: owner.userReference,
    type: 'Deposit',
    status: STATUS.requireProcessing,
    amount: deposit.amount,
    currency_id: currency.id,
    from_address: deposit.fromAddress ?? encoding.write(deterministicBytes('sender', uuid)),
    to_address: getOrCreateAddress(database, owner, currency, now).address,
    tx_hash: deposit.txHash ?? encoding.hash(deterministicBytes('hash', uuid)),
    provider_transaction_id: `prv_${uuid.slice(0, 13)}`,
    requires_approval: false,
    inserted_at: now,
  })
  emitTransfer(context, made, 'processing')
  const confirmAfter = context.modes.read().deposits_confirm_after_ms
  if (confirmAfter !== null) context.schedule('confirm_deposit', uuid, confirmAfter)
  return made
}

function processing(context: Context, uuid: string): Transaction {
  const deposit = findTransaction(context.database, uuid)
  if (!deposit || deposit.type !== 'Deposit') throw new HttpError(404, `no deposit ${uuid}`)
  if (deposit.status !== STATUS.requireProcessing) throw new HttpError(409, `the deposit is ${deposit.status}`)
  return deposit
}

/** The blockchain confirmed the deposit. An amount given here replaces the detected one. */
export function confirmDeposit(context: Context, uuid: string, amount?: string): Transaction {
  const deposit = processing(context, uuid)
  const now = context.now()
  const change = { status: STATUS.succeeded, amount: amount ?? deposit.amount, completed_at: now }
  const confirmed = changeTransaction(context.database, deposit, change, now)
  emitTransfer(context, confirmed, 'succeeded')
  return confirmed
}

/** The transfer failed. The spec has no event for it; one is sent only when `failure_webhooks` is on. */
export function failDeposit(context: Context, uuid: string, reason: string): Transaction {
  const deposit = processing(context, uuid)
  const now = context.now()
  const failed = changeTransaction(
    context.database,
    deposit,
    { status: STATUS.failed, failure_reason: reason, completed_at: now },
    now,
  )
  if (context.modes.read().failure_webhooks) emitTransfer(context, failed, 'failed')
  return failed
}
