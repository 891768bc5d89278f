/** The time before which nothing is booked (docs/explanation/money.md, "The time before the cashier"). */
import type { Store } from '../store/types.ts'

const DAY_MS = 86_400_000

/** `LEDGER_START` is not the time that the database was started with. */
export class LedgerStartError extends Error {
  override readonly name = 'LedgerStartError'
}

/** The time that a database gets which is first started now without `LEDGER_START`. */
export const defaultLedgerStart = (nowMs: number): number => nowMs - DAY_MS

const iso = (ms: number): string => new Date(ms).toISOString()

/** What to do about two different times; null if they agree, or one of them is not known. */
export const ledgerStartFault = (wantedMs: number | null, storedMs: number | null): string | null =>
  wantedMs === null || storedMs === null || wantedMs === storedMs
    ? null
    : `LEDGER_START is ${iso(wantedMs)}, but this database was started with ${iso(storedMs)}, and what is booked depends on it: set LEDGER_START to that time, or leave it out`

/**
 * Keeps the time with which the database is first started, and returns it: `LEDGER_START`, or a day before now.
 * @throws LedgerStartError if it was first started with another time
 */
export async function keepLedgerStart(
  { reconciliation }: Pick<Store, 'reconciliation'>,
  wantedMs: number | null,
  nowMs: number,
): Promise<number> {
  const storedMs = await reconciliation.keepLedgerStart(wantedMs ?? defaultLedgerStart(nowMs))
  const fault = ledgerStartFault(wantedMs, storedMs)
  if (fault !== null) throw new LedgerStartError(fault)
  return storedMs
}
