import type { Currency } from '#lib/contract/cashier.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { BalanceRow, Posting } from './accounts.ts'
import { ChangedRows } from './changed-rows.ts'
import { compareTexts } from './compare.ts'
import { FactSet, transactionKey } from './fact-set.ts'
import type { Fact, FactCurrency } from './facts.ts'
import { assertInvariant } from './invariant.ts'
import { lineKey } from './line-key.ts'
import { Outbox } from './outbox.ts'
import { RECONCILE_PRIORITY, type ReconcilePriority } from './reconcile-priority.ts'
import { assertOneUser, nameChanges, NO_USER, type RenamedRow, type RowUser } from './row-users.ts'
import type {
  LockedUser,
  OnrampRow,
  PayoutRow,
  QuarantineLine,
  RecordRow,
  Report,
  TransactionRow,
  WebhookRow,
  WithdrawalRow,
} from './rows.ts'
import { isOfOtherSession, isSameHash, isSameTransfer, TransferIndex } from './same-transfer.ts'
import { checkWithdrawalChange } from './withdrawal-states.ts'

/** A known currency; `listed` is false if only webhooks and records have named it. */
export interface KnownCurrency extends Currency {
  readonly listed: boolean
}

/** A transaction by the gateway's id. */
export type TransactionKey = Pick<TransactionRow, 'kind' | 'transaction_uuid'>

/** The rows that a unit of work begins with. A row may come more than once. */
export interface LoadedState {
  /** The transactions whose rows and facts were read, even if there are none. */
  readonly keys?: readonly TransactionKey[]
  readonly users?: readonly LockedUser[]
  readonly facts?: readonly Fact[]
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

/** A fact, and the user under whom it stands. */
export interface StoredFact {
  readonly user_reference_id: string
  readonly fact: Fact
}

/** A transaction or payout that stands under the user `to` from now on, and stood under this user before. */
export interface MovedRow extends Pick<TransactionRow, 'transaction_uuid'> {
  readonly user_reference_id: string
  readonly to: string
}

/** A report whose reason has gone. */
export interface SettledReport {
  readonly reason: Report | 'contradiction'
  readonly transaction_uuid: string
  /** How the line's event ends: only such lines are settled. */
  readonly ending: string
}

const isSettledBy = (
  { reason, transaction_uuid, event }: Omit<QuarantineLine, 'received_ms'>,
  settled: SettledReport,
): boolean =>
  reason === settled.reason && transaction_uuid === settled.transaction_uuid && event.endsWith(settled.ending)

const isOf =
  (user: string) =>
  ({ user_reference_id }: { readonly user_reference_id: string }): boolean =>
    compareTexts(user_reference_id, user) === 'agree'

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
  readonly #users = new Map<string, LockedUser>()
  readonly #loaded = new Set<string>()
  readonly #facts = new FactSet()
  readonly #transactions = new ChangedRows<TransactionRow>()
  readonly #transfers = new TransferIndex()
  readonly #withdrawals = new ChangedRows<WithdrawalRow>()
  readonly #payouts = new ChangedRows<PayoutRow>()
  readonly #onramps = new ChangedRows<OnrampRow>()
  readonly #balances = new ChangedRows<BalanceRow>()
  readonly #currencies = new Map<string, KnownCurrency>()
  readonly #newWithdrawals = new Set<string>()
  readonly #postings: Posting[] = []
  readonly #learned = new Map<string, FactCurrency>()
  readonly #records = new Map<string, RecordRow>()
  readonly #quarantine: QuarantineLine[] = []
  readonly #quarantineOnce = new Map<string, QuarantineLine>()
  readonly #webhooks: WebhookRow[] = []
  readonly #reconciliations = new Map<string, ScheduledReconciliation>()
  readonly #settledReports = new Map<string, SettledReport>()

  constructor(now: number) {
    this.now = now
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
      this.#transfers.add(row, key)
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
  sinceRestore(user: string): 'unchecked' | 'checked' | null {
    return this.#users.get(user)?.since_restore ?? null
  }

  /** Every stored fact of a transaction, in no order. */
  facts(kind: TransactionKind, uuid: string): readonly Fact[] {
    const key = transactionKey(kind, uuid)
    assertInvariant(this.#loaded.has(key), 'transaction_loaded', key)
    return this.#facts.of(key)
  }

  /** The loaded facts of a transaction, in no order; empty if the transaction was not loaded. */
  loadedFacts(kind: TransactionKind, uuid: string): readonly Fact[] {
    return this.#facts.of(transactionKey(kind, uuid))
  }

  /** Every fact, stored or new. */
  allFacts(): readonly Fact[] {
    return this.#facts.all()
  }

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
    this.#transfers.add(row, key)
  }

  #near(row: TransactionRow, isWanted: (other: TransactionRow) => boolean): readonly TransactionRow[] {
    return [...this.#transfers.near(row)].flatMap((key) => {
      const other = this.#transactions.get(key)
      return other !== null && isWanted(other) ? [other] : []
    })
  }

  /**
   * The loaded session of ours that a deposit's key names, by a key of the gateway's reply: a key that an event brought
   * may come after the deposit.
   */
  sessionByKey({ correlation_key }: TransactionRow): string | null {
    const session = correlation_key === null ? null : this.onramp(correlation_key, null)
    return session === null || session.link === null ? null : session.id
  }

  /** Whether a deposit's key names another session of ours than this purchase's. */
  isOfOtherSession(purchase: TransactionRow, deposit: TransactionRow): boolean {
    return isOfOtherSession(purchase, deposit, this.sessionByKey(deposit))
  }

  /** Whether no other loaded transaction can be the same transfer, or share its hash. */
  isAlone(row: TransactionRow): boolean {
    return this.#transfers.isAlone(row, transactionKey(row.kind, row.transaction_uuid))
  }

  /** Deposits of an on-ramp, or on-ramps of a deposit, that are the same transfer. */
  sameTransfer(row: TransactionRow): readonly TransactionRow[] {
    return this.#near(
      row,
      (other) =>
        isSameTransfer(row, other) &&
        !(row.kind === 'onramp' ? this.isOfOtherSession(row, other) : this.isOfOtherSession(other, row)),
    )
  }

  /** Other deposits and on-ramps of the row's user and currency with its hash. */
  sameHash(row: TransactionRow): readonly TransactionRow[] {
    const own = transactionKey(row.kind, row.transaction_uuid)
    return this.#near(
      row,
      (other) => isSameHash(row, other) && transactionKey(other.kind, other.transaction_uuid) !== own,
    )
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

  currencies(): readonly KnownCurrency[] {
    return [...this.#currencies.values()]
  }

  /** Stores the currency of a webhook or record if it is new. */
  learnCurrency(currency: FactCurrency): void {
    this.#learned.set(currency.id, currency)
  }

  putRecord(row: RecordRow): void {
    this.#records.set(JSON.stringify([row.user_reference_id, row.transaction_uuid]), row)
  }

  addWebhook(row: WebhookRow): void {
    this.#webhooks.push(row)
  }

  quarantine(item: Omit<QuarantineLine, 'received_ms'>): void {
    this.#quarantine.push({ ...item, received_ms: this.now })
  }

  /** Adds a quarantine line, unless the transaction has an open line with this reason that says the same. */
  quarantineOnce(item: Omit<QuarantineLine, 'received_ms'>): void {
    const key = lineKey(item)
    for (const [name, settled] of this.#settledReports)
      if (isSettledBy(item, settled)) this.#settledReports.delete(name)
    if (!this.#quarantineOnce.has(key)) this.#quarantineOnce.set(key, { ...item, received_ms: this.now })
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

  /** Settles the open lines with this reason about this transaction whose event ends so, if there are any. */
  settleReport(reason: SettledReport['reason'], transactionUuid: string, ending = ''): void {
    const settled: SettledReport = { reason, transaction_uuid: transactionUuid, ending }
    for (const [key, line] of this.#quarantineOnce) if (isSettledBy(line, settled)) this.#quarantineOnce.delete(key)
    this.#settledReports.set(`${reason} ${transactionUuid} ${ending}`, settled)
  }

  /**
   * The transactions whose row or facts have changed. A transaction stands under its user, or under none: until an event
   * names the user, and if the coins of a purchase go to a wallet of the user's own.
   */
  #changedTransactions(): readonly (RenamedRow & Pick<TransactionKey, 'kind'>)[] {
    const { facts, replacedFacts } = this.#facts.changes()
    const keys = new Map(
      [...facts, ...replacedFacts, ...this.#transactions.changed()].map(({ kind, transaction_uuid }) => [
        transactionKey(kind, transaction_uuid),
        { kind, transaction_uuid },
      ]),
    )
    return [...keys].map(([key, { kind, transaction_uuid }]) => {
      const before = this.#transactions.before(key)
      const isStored = before !== null || this.#facts.isStored(key)
      const from = isStored ? (before?.user_reference_id ?? NO_USER) : null
      const to = this.#transactions.get(key)?.user_reference_id ?? NO_USER
      assertOneUser((from ?? NO_USER) === NO_USER || to === NO_USER || from === to, { name: transaction_uuid, kind })
      return { kind, name: transaction_uuid, from, to }
    })
  }

  /** The withdrawals that have got another payout, and the payouts that are recorded or have another user. */
  #changedNames(): readonly RenamedRow[] {
    const withdrawals = this.#withdrawals.changed().flatMap((row): readonly RenamedRow[] => {
      const { user_reference_id: user } = row
      const before = this.#withdrawals.before(row.id)?.transaction_uuid ?? null
      if (before === row.transaction_uuid) return []
      return [
        ...(before === null ? [] : [{ name: before, kind: 'withdrawal', from: user, to: null } as const]),
        ...(row.transaction_uuid === null
          ? []
          : [{ name: row.transaction_uuid, kind: 'withdrawal', from: null, to: user } as const]),
      ]
    })
    const payouts = this.#payouts.changed().map(({ transaction_uuid: name, user_reference_id: to }) => {
      const from = this.#payouts.before(name)?.user_reference_id ?? null
      return { name, kind: 'paid', from, to } as const
    })
    return [...withdrawals, ...payouts]
  }

  /** The keys that events gave to on-ramp sessions. */
  #newKeys(): readonly RowUser[] {
    return this.#onramps.changed().flatMap(({ id, correlation_key: name, user_reference_id }) => {
      const isNew = name !== null && this.#onramps.before(id)?.correlation_key !== name
      return isNew ? [{ name, kind: 'key', user_reference_id } as const] : []
    })
  }

  /** What the store has to write. */
  changes() {
    const withdrawals = this.#withdrawals.changed()
    const transactions = this.#changedTransactions()
    const names = this.#changedNames()
    const users = new Map(transactions.map(({ kind, name, to }) => [transactionKey(kind, name), to ?? NO_USER]))
    const withUser = (fact: Fact): StoredFact => ({
      user_reference_id: users.get(transactionKey(fact.kind, fact.transaction_uuid)) ?? NO_USER,
      fact,
    })
    const moved = <Row extends RenamedRow>(row: Row): readonly (Row & MovedRow)[] =>
      row.from === null || row.to === null || row.from === row.to
        ? []
        : [{ ...row, transaction_uuid: row.name, user_reference_id: row.from, to: row.to }]
    const { facts, replacedFacts } = this.#facts.changes()
    return {
      ...nameChanges([...transactions, ...names]),
      keys: this.#newKeys(),
      /** Their stored facts move with them. */
      movedTransactions: transactions.flatMap(moved),
      movedPayouts: names.filter(({ kind }) => kind === 'paid').flatMap(moved),
      facts: facts.map(withUser),
      replacedFacts: replacedFacts.map(withUser),
      transactions: this.#transactions.changed(),
      newWithdrawals: withdrawals.filter(({ id }) => this.#newWithdrawals.has(id)),
      changedWithdrawals: withdrawals.filter(({ id }) => !this.#newWithdrawals.has(id)),
      payouts: this.#payouts.changed(),
      onramps: this.#onramps.changed(),
      postings: this.#postings,
      balances: this.#balances.changed(),
      learned: [...this.#learned.values()],
      newCurrencies: [...this.#learned.values()].filter(({ id }) => !this.#currencies.has(id)),
      records: [...this.#records.values()],
      quarantine: this.#quarantine,
      quarantineOnce: [...this.#quarantineOnce.values()],
      webhooks: this.#webhooks,
      reconciliations: [...this.#reconciliations.values()],
      settledReports: [...this.#settledReports.values()],
    }
  }
}
