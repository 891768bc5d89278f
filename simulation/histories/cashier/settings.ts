/** The settings of the cashier in the histories, and who is known to it. Times are in milliseconds. */
import type { LedgerMode } from '#lib/server/ledger/accounts.ts'
import type { ListOptions } from '#lib/server/ledger/apply-records.ts'
import { createStatusReader } from '#lib/server/gateway/status-words.ts'
import { OTHER_USER, START_MS, USER } from '../wire.ts'

/** `GATEWAY_STATUS_WORDS` is unset. */
export const STATUSES = createStatusReader(new Map())

/** `WITHDRAWAL_ABSENCE_S`. */
export const ABSENCE_MS = 3_600_000
/** `LEDGER_START`. */
export const LEDGER_START_MS = START_MS - 86_400_000
/** `OVERDUE_S`. */
export const OVERDUE_MS = 86_400_000

/** The rules for records of a list, by who keeps the books. */
export const listOptions = (ledgerMode: LedgerMode): ListOptions => ({
  ledgerMode,
  ledgerStartMs: LEDGER_START_MS,
  clockOffset: 0,
})

export const isKnownUser = (name: string): boolean => name === USER || name === OTHER_USER
