import { addressKey } from '#lib/addresses/index.ts'
import { canonical, compare, type Decimal } from '#lib/contract/money.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import { book } from '../ledger/book.ts'
import type { FirstResult } from '../ledger/settle-withdrawal.ts'
import type { CashierSession, Store, Tx, WithdrawalRow } from '../store/port.ts'
import { checkAnyAddress, checkNetworkAddress, readAmount } from './check-withdrawal-input.ts'
import type { CurrencyBook } from './currency-book.ts'
import type { Driver } from './drive-withdrawal.ts'
import { viewOf } from './withdrawal-view.ts'
import type { Withdrawal } from '#lib/contract/cashier.ts'

export interface WithdrawalInput {
  readonly currency_id: string
  readonly amount: string
  readonly wallet_address: string
}

export type WithdrawalAnswer =
  | { readonly outcome: 'recorded'; readonly withdrawal: Withdrawal }
  | { readonly outcome: 'declined'; readonly withdrawal_id: string; readonly user_message: string | null }

export interface RequestWithdrawalOptions {
  readonly store: Store
  readonly currencies: CurrencyBook
  readonly driver: Driver
  readonly instance: string
  /** The embedded ledger decides; else the merchant is asked. */
  readonly books: boolean
  readonly newId: () => string
  /** Waits for a request with the same key that is under way; gives up after a while. */
  readonly waitMs: number
  readonly sleep: (ms: number) => Promise<void>
}

const POLL_MS = 100

/** The row as it was when its request was first answered. */
const firstOf = (row: WithdrawalRow): WithdrawalRow =>
  row.first_result === null ? row : { ...row, ...(JSON.parse(row.first_result) as FirstResult) }

const answerOf = (row: WithdrawalRow): WithdrawalAnswer =>
  row.declined_at_request === 1
    ? { outcome: 'declined', withdrawal_id: row.id, user_message: row.user_message }
    : { outcome: 'recorded', withdrawal: viewOf(firstOf(row)) }

const inFlight = (row: WithdrawalRow): boolean => row.step === 'calling' || row.step === 'authorizing'

/** Same body by value: the amount as a decimal, the rest to the letter. */
const sameBody = (row: WithdrawalRow, input: WithdrawalInput, amount: Decimal): boolean =>
  row.currency_id === input.currency_id &&
  row.amount_key === canonical(amount) &&
  row.wallet_address === input.wallet_address

/** The row of a new intent, at the step that its way of deciding begins with. */
function intentOf(
  session: CashierSession,
  currency: Currency,
  amount: Decimal,
  address: string,
  rest: { id: string; key: string; books: boolean; instance: string; now: number },
): WithdrawalRow {
  return {
    id: rest.id,
    user_reference_id: session.user_reference_id,
    idempotency_key: rest.key,
    currency_id: currency.id,
    currency_code: currency.currency_code,
    network: currency.network,
    amount,
    wallet_address: address,
    address_key: addressKey(currency.network, address),
    amount_key: canonical(amount),
    status: rest.books ? 'processing' : 'pending_authorization',
    step: rest.books ? 'calling' : 'authorizing',
    driver: rest.instance,
    funds: rest.books ? 'held' : 'none',
    requires_approval: 0,
    transaction_uuid: null,
    failure: null,
    failure_reason: null,
    user_message: null,
    declined_at_request: 0,
    record_status: null,
    first_result: null,
    created_ms: rest.now,
    called_ms: rest.books ? rest.now : null,
    call_ended_ms: null,
    absent_scans: 0,
    checks: 0,
    next_check_ms: null,
    checked_ms: null,
    updated_ms: rest.now,
  }
}

/** While a twin is uncertain, a second of the same details would perhaps pay twice (contract section 7). */
async function refuseTwin(tx: Tx, intent: WithdrawalRow): Promise<void> {
  const twins = await tx.withdrawals.matching(intent)
  if (twins.some((twin) => twin.status === 'unknown'))
    throw new Problem(
      'outcome_unknown',
      'The same withdrawal was requested before and could not be confirmed yet. It is being checked.',
    )
}

async function hold(tx: Tx, intent: WithdrawalRow): Promise<void> {
  const amount = intent.amount as Decimal
  const { available } = await tx.books.balance(intent.user_reference_id, intent.currency_id)
  if (compare(available, amount) < 0)
    throw new Problem('insufficient_balance', `Available: ${canonical(available)} ${intent.currency_code}.`)
  await book(tx, {
    booking: 'hold',
    posting_key: `hold:${intent.id}`,
    user_reference_id: intent.user_reference_id,
    currency_id: intent.currency_id,
    amount,
  })
}

/** `POST /api/cashier/withdrawals`: the five steps of contract section 7, and its rules of the Idempotency-Key. */
export function createRequestWithdrawal(options: RequestWithdrawalOptions) {
  const { store, currencies, driver, books } = options

  /** The first result again, once there is one. Throws `conflict` where it takes too long. */
  const replay = async (first: WithdrawalRow, input: WithdrawalInput, amount: Decimal): Promise<WithdrawalAnswer> => {
    if (!sameBody(first, input, amount))
      throw new Problem('idempotency_mismatch', 'This Idempotency-Key was used with another request.')
    let row = first
    for (let waited = 0; inFlight(row); waited += POLL_MS) {
      if (waited >= options.waitMs)
        throw new Problem('conflict', 'The request with this Idempotency-Key is still under way.')
      await options.sleep(POLL_MS)
      row = (await store.withdrawals.find(row.id)) ?? row
    }
    return answerOf(row)
  }

  /** Step 1: intent and hold in one commit. Gives the row that has the key already instead, where there is one. */
  const record = (intent: WithdrawalRow): Promise<WithdrawalRow | null> =>
    store.transaction(async (tx) => {
      await tx.users.lock([intent.user_reference_id])
      const first = await tx.withdrawals.byKey(intent.user_reference_id, intent.idempotency_key)
      if (first !== null) return first
      const now = tx.now
      await refuseTwin(tx, intent)
      if (books) await hold(tx, intent)
      await tx.withdrawals.insert({ ...intent, created_ms: now, updated_ms: now, called_ms: books ? now : null })
      return null
    })

  return async (
    session: CashierSession,
    input: WithdrawalInput,
    key: string,
    admit: () => Promise<void>,
  ): Promise<WithdrawalAnswer> => {
    const amount = readAmount(input.amount)
    checkAnyAddress(input.wallet_address)
    const known = await store.withdrawals.byKey(session.user_reference_id, key)
    if (known !== null) return replay(known, input, amount)

    const currency = await currencies.forSession(session, input.currency_id)
    checkNetworkAddress(currency.network, input.wallet_address)
    await admit()
    const rest = { id: options.newId(), key, books, instance: options.instance, now: 0 }
    const intent = intentOf(session, currency, amount, input.wallet_address, rest)
    const first = await record(intent)
    if (first !== null) return replay(first, input, amount)
    return answerOf(books ? await driver.call(intent) : await driver.authorize(intent, true))
  }
}
