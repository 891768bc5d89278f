/** The settings of the cashier in the histories, and who is known to it. Times are in milliseconds. */
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

export const LIST_OPTIONS = { ledgerMode: 'embedded', ledgerStartMs: LEDGER_START_MS, clockOffset: 0 } as const

export const isKnownUser = (name: string): boolean => name === USER || name === OTHER_USER
