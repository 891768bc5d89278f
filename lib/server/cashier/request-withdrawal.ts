import type { LedgerMode } from '../ledger/accounts.ts'
import { canonical, compare } from '#lib/contract/money.ts'
import type { Currency, WithdrawalStatus } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { WithdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { compareTexts } from '../ledger/compare.ts'
import { post } from '../ledger/post-entries.ts'
import { publishWithdrawal } from '../ledger/publish.ts'
import { firstResultOf, parseFirstResult } from '../ledger/settle-withdrawal.ts'
import { rulesOf, type RulesByCurrency } from '../ledger/withdrawal-rules.ts'
import { withState } from '../ledger/withdrawal-history.ts'
import { withdrawalView } from '../ledger/withdrawal-view.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type {
  AuthorizingWithdrawal,
  CallingWithdrawal,
  CashierSession,
  PendingWithdrawal,
  Store,
  Tx,
  WithdrawalRow,
} from '../store/types.ts'
import { checkNetworkAddress } from './check-network-address.ts'
import { notOffered, type CurrencyCache } from './currency-cache.ts'
import { holdBack, type Caught } from './hold-back.ts'
import { haveSameNames } from './read-currency-list.ts'
import { refuseUnchecked } from './refuse-unchecked.ts'
import type { WithdrawalSteps } from './withdrawal-steps.ts'
import { refuseUncertainTwin } from './uncertain-twin.ts'
import type { Withdrawal } from '#lib/contract/cashier.ts'

export type WithdrawalAnswer =
  | { readonly outcome: 'recorded'; readonly withdrawal: Withdrawal }
  | { readonly outcome: 'declined'; readonly withdrawal_id: string; readonly user_message: string | null }

export interface RequestWithdrawalOptions {
  readonly store: Store
  readonly currencies: CurrencyCache
  readonly driver: WithdrawalSteps
  readonly instance: string
  /** `embedded`: the ledger decides. `merchant`: the merchant is asked. */
  readonly ledgerMode: LedgerMode
  /** Where the ledger decides: `WITHDRAWAL_RULES`; none by default. */
  readonly rules?: RulesByCurrency
  readonly newId: () => string
  /** The most withdrawals that a user may record in a minute; infinite if limits are off. */
  readonly mostAMinute: number
  /** How long to wait for an earlier request with the same key. */
  readonly waitMs: number
  readonly sleep: (ms: number) => Promise<void>
}

const POLL_MS = 100
const MINUTE_MS = 60_000

/** The withdrawal as the first answer to its request showed it. */
const firstView = (row: WithdrawalRow): Withdrawal =>
  withdrawalView(row.first_result === null ? row : { ...row, ...parseFirstResult(row.first_result) })

const answerOf = (row: WithdrawalRow): WithdrawalAnswer =>
  row.declined_at_request === 1
    ? { outcome: 'declined', withdrawal_id: row.id, user_message: row.user_message }
    : { outcome: 'recorded', withdrawal: firstView(row) }

const inFlight = (row: WithdrawalRow): boolean => row.step === 'calling' || row.step === 'authorizing'

/** True for the same request. Amounts are compared by value, the rest as text. */
const sameBody = (row: WithdrawalRow, input: WithdrawalRequest): boolean =>
  compareTexts(row.currency_id, input.currency_id) === 'agree' &&
  compare(row.amount, input.amount) === 0 &&
  row.wallet_address === input.wallet_address

interface IntentDetails {
  readonly id: string
  readonly key: string
  readonly ledgerMode: LedgerMode
  readonly instance: string
  /** The time of the commit that records it. */
  readonly now: number
  /** What it waits for; null if it is called at once. */
  readonly caught: Caught | null
}

/** A new withdrawal, at the first step of its ledger mode. */
function intentOf(
  session: CashierSession,
  currency: Currency,
  { amount, wallet_address }: WithdrawalRequest,
  { id, key, ledgerMode, instance, now, caught }: IntentDetails,
): AuthorizingWithdrawal | PendingWithdrawal | CallingWithdrawal {
  const intent = {
    id,
    user_reference_id: session.user_reference_id,
    idempotency_key: key,
    currency_id: currency.id,
    currency_code: currency.currency_code,
    network: currency.network,
    amount,
    wallet_address,
    driver: instance,
    funds: ledgerMode === 'embedded' ? 'held' : 'none',
    postings: ledgerMode === 'embedded' ? 1 : 0,
    requires_approval: 0,
    transaction_uuid: null,
    failure: null,
    failure_reason: null,
    user_message: null,
    declined_at_request: 0,
    record_status: null,
    paid_amount: null,
    first_result: null,
    created_ms: now,
    call_ended_ms: null,
    absent_scans: 0,
    checks: 0,
    next_check_ms: null,
    checked_ms: null,
    updated_ms: now,
    clock_offset_ms: null,
    reply_amount: null,
    reply_transaction_uuid: null,
    early_decision: null,
    decided_by: null,
    review: null,
    wait_until_ms: null,
    overdue_ms: null,
    resolution: null,
  } as const
  const states = (status: WithdrawalStatus): string =>
    withState({ states: '[]' }, { status, at_ms: now, cause: 'requested', source: 'cashier' })
  if (caught !== null) {
    const waiting = { driver: null, step: 'pending', status: 'pending_authorization', called_ms: null } as const
    const pending: PendingWithdrawal = { ...intent, ...caught, ...waiting, states: states(waiting.status) }
    return { ...pending, first_result: firstResultOf(pending) }
  }
  return ledgerMode === 'embedded'
    ? { ...intent, step: 'calling', status: 'processing', called_ms: now, states: states('processing') }
    : {
        ...intent,
        step: 'authorizing',
        status: 'pending_authorization',
        called_ms: null,
        states: states('pending_authorization'),
      }
}

/**
 * Counts recorded withdrawals: many requests with one key count once, a refused request does not count. The user is
 * locked, so two requests never count at the same time. A withdrawal that was recorded while this transaction waited for
 * the lock, or by an instance whose clock is ahead, is later than `tx.now` and counts too; one that is a minute later or
 * more comes from a clock that was wrong.
 */
async function checkLimit(tx: Tx, user: string, most: number): Promise<void> {
  if (most === Infinity) return
  const since = tx.now - MINUTE_MS
  const rows = await tx.withdrawals.ofUser(user, since + 1, most)
  const recent = rows.filter(({ created_ms }) => created_ms - tx.now < MINUTE_MS)
  const oldest = recent[most - 1]
  if (oldest === undefined) return
  const retryAfterS = Math.max(1, Math.ceil((oldest.created_ms - since) / 1000))
  throw new Problem('rate_limited', `Please wait ${retryAfterS} seconds.`, { retryAfterS })
}

function hold(unit: UnitOfWork, intent: WithdrawalRow): void {
  const { amount } = intent
  const { available } = unit.balance(intent.user_reference_id, intent.currency_id)
  if (compare(available, amount) < 0)
    throw new Problem('insufficient_balance', `Available: ${canonical(available)} ${intent.currency_code}.`)
  post(unit, {
    booking: 'hold',
    posting_key: `hold:${intent.id}`,
    user_reference_id: intent.user_reference_id,
    currency_id: intent.currency_id,
    amount,
  })
}

/**
 * `POST /api/cashier/withdrawals`: the steps in docs/explanation/money.md, "Withdrawal steps", and the
 * `Idempotency-Key` in docs/explanation/page-api.md, "Withdrawal requests".
 */
export function createRequestWithdrawal(options: RequestWithdrawalOptions) {
  const { store, currencies, driver, ledgerMode } = options

  /** Repeats the first result once it exists. @throws Problem `conflict` if that takes too long */
  const replay = async (first: WithdrawalRow, input: WithdrawalRequest): Promise<WithdrawalAnswer> => {
    if (!sameBody(first, input))
      throw new Problem('idempotency_mismatch', 'This Idempotency-Key was used with another request.')
    let row = first
    for (let waited = 0; inFlight(row); waited += POLL_MS) {
      if (waited >= options.waitMs)
        throw new Problem('conflict', 'The request with this Idempotency-Key is still under way.')
      await options.sleep(POLL_MS)
      row = (await store.withdrawals.ofUserById(row.user_reference_id, row.id)) ?? row
    }
    await store.confirmReads()
    return answerOf(row)
  }

  /** Step 1: row and hold in one commit. `first` is the row that already had this key, if any. */
  const record = (
    session: CashierSession,
    currency: Currency,
    input: WithdrawalRequest,
    rest: Omit<IntentDetails, 'now' | 'caught'> & { readonly requestId: string | null },
    onIntent: (intent: AuthorizingWithdrawal | PendingWithdrawal | CallingWithdrawal) => void,
  ): Promise<
    | { readonly first: WithdrawalRow }
    | { readonly intent: AuthorizingWithdrawal | PendingWithdrawal | CallingWithdrawal }
    | { readonly refusal: Problem }
  > =>
    store.transaction(async (tx) => {
      const user = session.user_reference_id
      const unit = await tx.load({ users: [user], attemptsOf: [user], balances: [[user, currency.id]] })
      const first = await tx.withdrawals.byKey(user, rest.key)
      if (first !== null) return { first }
      // The user was erased after the session was read: nobody would follow up a withdrawal without a user.
      if (!unit.isKnown(user)) throw new Problem('session_ended', 'This session has ended.')
      // The list may have been read again since: the gateway would pay what the id means now.
      const known = await tx.currencies.byId(currency.id)
      if (known !== null && !(known.listed && haveSameNames(known, currency))) throw notOffered()
      const refusal = await refuseUnchecked(tx, unit, user, ledgerMode)
      if (refusal !== null) {
        await tx.save(unit)
        return { refusal }
      }
      const rules = ledgerMode === 'embedded' && options.rules !== undefined ? rulesOf(options.rules, currency) : null
      const { network } = currency
      const asked = { user, network, address: input.wallet_address, amount: input.amount }
      const caught = rules === null ? null : await holdBack(tx, rules, asked)
      const intent = intentOf(session, currency, input, { ...rest, now: tx.now, caught })
      refuseUncertainTwin(unit, intent)
      if (ledgerMode === 'embedded') hold(unit, intent)
      await checkLimit(tx, user, options.mostAMinute)
      unit.insertWithdrawal(intent)
      if (intent.step === 'pending') publishWithdrawal(unit, intent, null, 'cashier')
      await tx.save(unit)
      await tx.requestEffects.note({
        request_id: rest.requestId,
        kind: 'withdrawal',
        name: intent.id,
        user_reference_id: user,
        created_ms: tx.now,
      })
      onIntent(intent)
      return { intent }
    })

  return async (
    session: CashierSession,
    input: WithdrawalRequest,
    key: string,
    requestId: string | null = null,
  ): Promise<WithdrawalAnswer> => {
    const known = await store.withdrawals.byKey(session.user_reference_id, key)
    if (known !== null) return replay(known, input)

    const currency = await currencies.forSession(session, input.currency_id)
    checkNetworkAddress(currency.network, input.wallet_address)
    const rest = { id: options.newId(), key, ledgerMode, instance: options.instance, requestId }
    const recordingMs = driver.uptimeMs()
    let calledMs: number | null = null
    const recorded = await record(session, currency, input, rest, (intent) => {
      calledMs = intent.called_ms
    }).catch((error: unknown) => {
      if (store.isUnknown(error)) driver.giveUp({ id: rest.id, user_reference_id: session.user_reference_id }, calledMs)
      throw error
    })
    if ('refusal' in recorded) throw recorded.refusal
    if ('first' in recorded) return replay(recorded.first, input)
    const { intent } = recorded
    switch (intent.step) {
      case 'pending':
        return answerOf(intent)
      case 'calling':
        return answerOf(await driver.call(intent, recordingMs))
      case 'authorizing':
        return answerOf(await driver.authorize(intent, true))
    }
  }
}
