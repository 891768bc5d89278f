import type { Currency } from '#lib/contract/cashier.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { BalanceRow, Posting } from './accounts.ts'
import { newSessionKeys, payoutNames, transactionNames, withdrawalNames } from './changed-names.ts'
import { ChangedRows } from './changed-rows.ts'
import { changedTransactions, movedRows } from './changed-transactions.ts'
import { compareTexts } from './compare.ts'
import { FactSet, transactionKey } from './fact-set.ts'
import type { Fact, FactCurrency, RecordedFact } from './facts.ts'
import { assertInvariant } from './invariant.ts'
import { Outbox } from './outbox.ts'
import {
  QuarantineSet,
  type BookedLine,
  type DraftLine,
  type EndLine,
  type LateLine,
  type SettledReport,
} from './quarantine-set.ts'
import { RECONCILE_PRIORITY, type ReconcilePriority } from './reconcile-priority.ts'
import { RelatedTransfers } from './related-transfers.ts'
import { nameChanges } from './row-users.ts'
import type {
  LockedUser,
  OnrampRow,
  PayoutRow,
  QuarantineLine,
  RecordRow,
  SettledBy,
  TransactionKey,
  TransactionRow,
  WebhookRow,
  WithdrawalCallRow,
  WithdrawalRow,
} from './rows.ts'
import { checkWithdrawalChange } from './withdrawal-states.ts'

/** A known currency; `listed` is false if only webhooks and records have named it. */
export interface KnownCurrency extends Currency {
  readonly listed: boolean
}

/** The rows that a unit of work begins with. A row may come more than once. */
export interface LoadedState {
  /** The transactions whose rows and facts were read, even if there are none. */
  readonly keys?: readonly TransactionKey[]
  readonly users?: readonly LockedUser[]
  readonly facts?: readonly RecordedFact[]
  readonly transactions?: readonly TransactionRow[]
  readonly withdrawals?: readonly WithdrawalRow[]
  readonly payouts?: readonly PayoutRow[]
  readonly onramps?: readonly OnrampRow[]
  readonly balances?: readonly BalanceRow[]
  readonly currencies?: readonly KnownCurrency[]
}

/** The latest time to read a user's list, in milliseconds from now. A lower rank is more urgent. */
export interface ScheduledReconciliation {
  readonly user_reference_id: string
  readonly delay_ms: number
  readonly rank: number
}

const isOf =
  (user: string) =>
  ({ user_reference_id }: { readonly user_reference_id: string }): boolean =>
    compareTexts(user_reference_id, user) === 'agree'

const iconOf = ({ network_icon }: FactCurrency): Pick<FactCurrency, 'network_icon'> =>
  network_icon === undefined ? {} : { network_icon }

const balanceKey = (user: string, currency: string): string => `${user} ${currency}`

/**
 * The ledger's state around a group of facts, in memory: the rows that were read, and the changes by the pure rules.
 * The store loads it (`Tx.load`) and writes its changes (`Tx.save`), each in a fixed number of statements; in between
 * there is no reading and no waiting.
 */
export class UnitOfWork {
  /** The transaction's time, in milliseconds since 1970. */
  readonly now: number
  readonly outbox = new Outbox()
  /** Which deposits and purchases belong together. */
  readonly transfers: RelatedTransfers
  readonly #users = new Map<string, LockedUser>()
  readonly #loaded = new Set<string>()
  readonly #facts: FactSet
  readonly #transactions = new ChangedRows<TransactionRow>()
  readonly #withdrawals = new ChangedRows<WithdrawalRow>()
  readonly #payouts = new ChangedRows<PayoutRow>()
  readonly #onramps = new ChangedRows<OnrampRow>()
  readonly #balances = new ChangedRows<BalanceRow>()
  readonly #currencies = new Map<string, KnownCurrency>()
  readonly #newWithdrawals = new Set<string>()
  readonly #postings: Posting[] = []
  readonly #learned = new Map<string, FactCurrency>()
  readonly #records = new Map<string, RecordRow>()
  readonly #quarantine = new QuarantineSet()
  readonly #webhooks: WebhookRow[] = []
  readonly #calls: WithdrawalCallRow[] = []
  readonly #reconciliations = new Map<string, ScheduledReconciliation>()
  #settledBy: SettledBy = 'system'

  constructor(now: number) {
    this.now = now
    this.#facts = new FactSet(now)
    this.transfers = new RelatedTransfers({
      transaction: (key) => this.#transactions.get(key),
      onramp: (correlationKey, reference) => this.onramp(correlationKey, reference),
    })
  }

  /** Adds rows that were read; a row that is here already stays as it is. */
  load(state: LoadedState): void {
    for (const user of state.users ?? []) this.#users.set(user.user_reference_id, user)
    for (const { kind, transaction_uuid } of state.keys ?? []) this.#loaded.add(transactionKey(kind, transaction_uuid))
    for (const fact of state.facts ?? []) this.#facts.load(fact)
    for (const row of state.transactions ?? []) {
      const key = transactionKey(row.kind, row.transaction_uuid)
      if (this.#transactions.get(key) !== null) continue
      this.#transactions.load(key, row)
      this.transfers.add(row)
    }
    for (const row of state.withdrawals ?? []) this.#withdrawals.load(row.id, row)
    for (const row of state.payouts ?? []) this.#payouts.load(row.transaction_uuid, row)
    for (const row of state.onramps ?? []) this.#onramps.load(row.id, row)
    for (const row of state.balances ?? []) this.#balances.load(balanceKey(row.user_reference_id, row.currency_id), row)
    for (const currency of state.currencies ?? []) this.#currencies.set(currency.id, currency)
  }

  /** Whether anything is stored about the user; false after the user was erased. */
  hasUser(user: string): boolean {
    return this.#users.has(user)
  }

  isKnown(user: string): boolean {
    return this.#users.get(user)?.known === 1
  }

  /** `LockedUser.since_restore`. */
  sinceRestore(user: string): NonNullable<LockedUser['since_restore']> | null {
    return this.#users.get(user)?.since_restore ?? null
  }

  /** Whether the user's list was not compared with the books since the database was restored. */
  isUncompared(user: string): boolean {
    const state = this.sinceRestore(user)
    return state !== null && state !== 'checked'
  }

  /** Every stored fact of a transaction, in no order. */
  facts(kind: TransactionKind, uuid: string): readonly Fact[] {
    const key = transactionKey(kind, uuid)
    assertInvariant(this.#loaded.has(key), 'transaction_loaded', key)
    return this.#facts.of(key)
  }

  /**
   * The stored facts with which this fact is compared. Those of an erased user may be its own user's, who has come back;
   * what was recorded while that user was stored is another's.
   */
  factsBeside({ kind, transaction_uuid, user_reference_id: user }: Fact): readonly Fact[] {
    const sinceMs = (user === null ? undefined : this.#users.get(user)?.created_ms) ?? Infinity
    return this.#facts.recorded(transactionKey(kind, transaction_uuid)).map(({ fact, recorded_ms }) => {
      if (fact.erased === undefined || fact.user_reference_id === null || recorded_ms <= sinceMs) return fact
      const { erased: _erased, ...ofAnother } = fact
      return ofAnother
    })
  }

  /** The loaded facts of a transaction, in no order; empty if neither it nor its row was loaded. */
  loadedFacts(kind: TransactionKind, uuid: string): readonly Fact[] {
    return this.#facts.of(transactionKey(kind, uuid))
  }

  /** Every fact, stored or new, of the transactions that were loaded by their keys. */
  allFacts(): readonly Fact[] {
    return [...this.#loaded].flatMap((key) => this.#facts.of(key))
  }

  /** @throws BrokenInvariant if there is a fact of its status and source */
  addFact(fact: Fact): void {
    this.#facts.add(fact)
  }

  /** Replaces the fact of the same status and source. */
  replaceFact(fact: Fact): void {
    this.#facts.replace(fact)
  }

  transaction(kind: TransactionKind, uuid: string): TransactionRow | null {
    return this.#transactions.get(transactionKey(kind, uuid))
  }

  transactions(): readonly TransactionRow[] {
    return [...this.#transactions.values()]
  }

  putTransaction(row: TransactionRow): void {
    const key = transactionKey(row.kind, row.transaction_uuid)
    this.#transactions.put(key, row)
    this.transfers.add(row)
  }

  withdrawal(id: string): WithdrawalRow | null {
    return this.#withdrawals.get(id)
  }

  withdrawals(): readonly WithdrawalRow[] {
    return [...this.#withdrawals.values()]
  }

  withdrawalOf(transactionUuid: string): WithdrawalRow | null {
    return this.withdrawals().find((row) => row.transaction_uuid === transactionUuid) ?? null
  }

  /** The loaded withdrawals of a user. Those that may take a payout are loaded with `UnitKeys.attemptsOf`. */
  withdrawalsOf(user: string): readonly WithdrawalRow[] {
    return this.withdrawals().filter(isOf(user))
  }

  insertWithdrawal(row: WithdrawalRow): void {
    this.#newWithdrawals.add(row.id)
    this.#withdrawals.put(row.id, row)
  }

  /** Replaces a withdrawal that was loaded. @throws BrokenInvariant */
  putWithdrawal(row: WithdrawalRow): void {
    const before = this.#withdrawals.get(row.id)
    assertInvariant(before !== null, 'withdrawal_loaded', row.id)
    checkWithdrawalChange(before, row)
    this.#withdrawals.put(row.id, row)
  }

  payout(transactionUuid: string): PayoutRow | null {
    return this.#payouts.get(transactionUuid)
  }

  /** The user's payouts that nobody owns. */
  openPayouts(user: string): readonly PayoutRow[] {
    return [...this.#payouts.values()].filter(isOf(user)).filter(({ owner }) => owner === null)
  }

  /** The user's payouts that a person called none of ours. */
  acknowledgedPayouts(user: string): readonly PayoutRow[] {
    return [...this.#payouts.values()].filter(isOf(user)).filter(({ owner }) => owner === 'acknowledged')
  }

  putPayout(row: PayoutRow): void {
    this.#payouts.put(row.transaction_uuid, row)
  }

  /** The on-ramp session with this key, else the session with this reference of ours. */
  onramp(correlationKey: string | null, reference: string | null): OnrampRow | null {
    const byKey =
      correlationKey === null ? undefined : this.onramps().find((row) => row.correlation_key === correlationKey)
    return byKey ?? (reference === null ? null : this.#onramps.get(reference))
  }

  onramps(): readonly OnrampRow[] {
    return [...this.#onramps.values()]
  }

  putOnramp(row: OnrampRow): void {
    this.#onramps.put(row.id, row)
  }

  balance(user: string, currency: string): BalanceRow {
    const key = balanceKey(user, currency)
    const balance = this.#balances.get(key)
    assertInvariant(balance !== null, 'balance_loaded', key)
    return balance
  }

  hasBalance(user: string, currency: string): boolean {
    return this.#balances.get(balanceKey(user, currency)) !== null
  }

  /** A posting and the balance after it. */
  post(posting: Posting, balance: BalanceRow): void {
    this.#postings.push(posting)
    this.#balances.put(balanceKey(balance.user_reference_id, balance.currency_id), balance)
  }

  /** The currencies that were loaded. */
  currencies(): readonly KnownCurrency[] {
    return [...this.#currencies.values()]
  }

  /** The same, and those that this unit has learned. */
  currenciesSoFar(): readonly FactCurrency[] {
    return [...this.currencies(), ...this.#newCurrencies()]
  }

  #newCurrencies(): readonly FactCurrency[] {
    return [...this.#learned.values()].filter(({ id }) => !this.#currencies.has(id))
  }

  /** Stores the currency of a webhook or record if it is new. Its first names stay. */
  learnCurrency(currency: FactCurrency): void {
    this.#learned.set(currency.id, { ...currency, ...this.#learned.get(currency.id), ...iconOf(currency) })
  }

  putRecord(row: RecordRow): void {
    this.#records.set(JSON.stringify([row.user_reference_id, row.transaction_uuid]), row)
  }

  addWebhook(row: WebhookRow): void {
    this.#webhooks.push(row)
  }

  /** Keeps a call about a withdrawal; a call that is kept already stays. */
  addCall(row: WithdrawalCallRow): void {
    this.#calls.push(row)
  }

  quarantine(item: Omit<QuarantineLine, 'received_ms'>): void {
    this.#quarantine.add({ ...item, received_ms: this.now })
  }

  /** Adds a quarantine line, unless the transaction has an open line with this reason that says the same. */
  quarantineOnce(item: Omit<QuarantineLine, 'received_ms'>): void {
    this.#quarantine.addOnce({ ...item, received_ms: this.now })
  }

  /** Schedules the user's reconciliation at this time or earlier, with this priority or a more urgent one. */
  scheduleReconciliation(user: string, atMs: number, priority: ReconcilePriority = 'open'): void {
    const before = this.#reconciliations.get(user)
    const rank = RECONCILE_PRIORITY[priority]
    this.#reconciliations.set(user, {
      user_reference_id: user,
      delay_ms: Math.min(before?.delay_ms ?? Infinity, atMs - this.now),
      rank: Math.min(before?.rank ?? rank, rank),
    })
  }

  /** From now on the unit applies this person's word: the reports that it settles are settled by them. */
  actsFor(by: SettledBy): void {
    this.#settledBy = by
  }

  /**
   * Settles the open lines with this reason about this transaction whose event ends so, if there are any.
   * @param otherwise a line to add if there are none, or if a person has corrected a balance since
   */
  settleReport(
    reason: SettledReport['reason'],
    transactionUuid: string,
    ending = '',
    otherwise?: LateLine<Omit<DraftLine, 'received_ms'>>,
  ): void {
    this.#quarantine.settle({
      ...{ reason, transaction_uuid: transactionUuid, ending, settled_by: this.#settledBy },
      otherwise: otherwise && { ...otherwise, line: { ...otherwise.line, received_ms: this.now } },
    })
  }

  /**
   * Adds a line about an end whose success a person may have booked by hand: an event that told of it was not applied,
   * and they dismissed it; or an adjustment of as much was made since it came, or since they were told that the user's
   * list cannot be read, or since a restore after which the list was not compared yet.
   */
  quarantineIfMade({ line, ...end }: Omit<EndLine<Omit<DraftLine, 'received_ms'>>, 'isUncompared'>): void {
    const isUncompared = end.isLate && line.user_reference_id !== null && this.isUncompared(line.user_reference_id)
    this.#quarantine.addIfMade({ ...end, isUncompared, line: { ...line, received_ms: this.now } })
  }

  /**
   * Adds a line about a booking if a person was told of its transfer before, and an adjustment of as much was made since:
   * they may have made the booking by hand, or have corrected what this booking changes. One report of a unit about a
   * transfer is enough.
   */
  quarantineIfCorrected({ line, ...booked }: BookedLine<Omit<DraftLine, 'received_ms'>>): void {
    this.#quarantine.addIfCorrected({ ...booked, line: { ...line, received_ms: this.now } })
  }

  /** What the store has to write. */
  changes() {
    const withdrawals = this.#withdrawals.changed()
    const transactions = transactionNames(this.#transactions, this.#facts)
    const payouts = payoutNames(this.#payouts)
    return {
      ...nameChanges([...transactions, ...withdrawalNames(this.#withdrawals), ...payouts]),
      keys: newSessionKeys(this.#onramps),
      ...changedTransactions(transactions, this.#transactions, this.#facts),
      movedTransactions: movedRows(transactions),
      movedPayouts: movedRows(payouts),
      newWithdrawals: withdrawals.filter(({ id }) => this.#newWithdrawals.has(id)),
      changedWithdrawals: withdrawals.filter(({ id }) => !this.#newWithdrawals.has(id)),
      payouts: this.#payouts.changed(),
      onramps: this.#onramps.changed(),
      postings: this.#postings,
      balances: this.#balances.changed(),
      learned: [...this.#learned.values()],
      newCurrencies: this.#newCurrencies(),
      records: [...this.#records.values()],
      ...this.#quarantine.changes(),
      webhooks: this.#webhooks,
      calls: this.#calls,
      reconciliations: [...this.#reconciliations.values()],
    }
  }
}
