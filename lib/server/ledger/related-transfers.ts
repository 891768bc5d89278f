import { compareTexts } from './compare.ts'
import { transactionKey } from './fact-set.ts'
import type { OnrampRow, TransactionRow } from './rows.ts'
import { isOfOtherSession, isSameHash, isSameTransfer, TransferIndex } from './same-transfer.ts'

/** The rows of a unit of work, by what the index knows of them. */
export interface TransferRows {
  readonly transaction: (key: string) => TransactionRow | null
  /** The on-ramp session with this key, else the session with this reference of ours. */
  readonly onramp: (correlationKey: string | null, reference: string | null) => OnrampRow | null
}

const keyOf = ({ kind, transaction_uuid }: TransactionRow): string => transactionKey(kind, transaction_uuid)

/** Which of the loaded deposits and purchases are one transfer, or may be. */
export class RelatedTransfers {
  readonly #index = new TransferIndex()
  readonly #rows: TransferRows

  constructor(rows: TransferRows) {
    this.#rows = rows
  }

  /** A row that was loaded, or has changed. */
  add(row: TransactionRow): void {
    this.#index.add(row, keyOf(row))
  }

  #near(row: TransactionRow, isWanted: (other: TransactionRow) => boolean): readonly TransactionRow[] {
    return [...this.#index.near(row)].flatMap((key) => {
      const other = this.#rows.transaction(key)
      return other !== null && isWanted(other) ? [other] : []
    })
  }

  /**
   * The loaded session of ours that a deposit's key names, by a key of the gateway's reply: a key that an event brought
   * may come after the deposit.
   */
  sessionByKey({ correlation_key }: TransactionRow): string | null {
    const session = correlation_key === null ? null : this.#rows.onramp(correlation_key, null)
    return session === null || session.link === null ? null : session.id
  }

  /** Whether a deposit's key names another session of ours than this purchase's. */
  isOfOtherSession(purchase: TransactionRow, deposit: TransactionRow): boolean {
    return isOfOtherSession(purchase, deposit, this.sessionByKey(deposit))
  }

  /** Whether no other loaded transaction can be the same transfer, or share its hash. */
  isAlone(row: TransactionRow): boolean {
    return this.#index.isAlone(row, keyOf(row))
  }

  /** Deposits of an on-ramp, or on-ramps of a deposit, that are the same transfer. */
  same(row: TransactionRow): readonly TransactionRow[] {
    return this.#near(
      row,
      (other) =>
        isSameTransfer(row, other) &&
        !(row.kind === 'onramp' ? this.isOfOtherSession(row, other) : this.isOfOtherSession(other, row)),
    )
  }

  /**
   * The purchases that a deposit may have brought and whose events name no user, as purchases of their session's user, who
   * is the deposit's.
   */
  unnamedPurchases(deposit: TransactionRow): readonly TransactionRow[] {
    const { user_reference_id } = deposit
    const isOurs = (row: TransactionRow): boolean => {
      const { user_reference_id: user = null, wallet_address = null } =
        this.#rows.onramp(null, row.onramp_session_id) ?? {}
      return wallet_address === null && compareTexts(user, user_reference_id) === 'agree'
    }
    return this.#near(deposit, (row) => row.user_reference_id === null && row.onramp_session_id !== null && isOurs(row))
      .map((row) => ({ ...row, user_reference_id }))
      .filter((row) => isSameTransfer(deposit, row) && !this.isOfOtherSession(row, deposit))
  }

  /** Other deposits and on-ramps of the row's user and currency with its hash. */
  sameHash(row: TransactionRow): readonly TransactionRow[] {
    const own = keyOf(row)
    return this.#near(row, (other) => isSameHash(row, other) && keyOf(other) !== own)
  }
}
