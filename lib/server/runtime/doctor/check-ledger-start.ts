import { createGatewayClient } from '../../gateway/client.ts'
import { isGatewayError } from '../../gateway/errors.ts'
import { storedStart } from '../../store/commands/stored-start.ts'
import type { Config } from '../config/config.ts'
import { defaultLedgerStart, ledgerStartFault } from '../ledger-start.ts'
import { fault, note, ok, type Finding } from './finding.ts'

const ABOUT = 'ledger'

export interface CheckLedgerStartOptions {
  readonly config: Pick<Config, 'databaseUrl' | 'gateway' | 'ledgerStartMs'>
  readonly clock: () => number
  readonly newNonce: () => string
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** When the oldest transaction of all users was inserted; null if there is none, or the gateway does not tell. */
async function oldestMs({ config, clock, newNonce }: CheckLedgerStartOptions): Promise<number | null> {
  const client = createGatewayClient({ ...config.gateway, clock, newNonce })
  try {
    const { edges } = await client.showMerchantTransactions({ last: 1 })
    const times = edges.map(({ node }) => Date.parse(node.inserted_at))
    return times.length === 0 ? null : Math.min(...times)
  } catch (error) {
    if (isGatewayError(error)) return null
    throw error
  } finally {
    await client.close()
  }
}

/** Shows the time before which nothing is booked, and says if that leaves out transactions and nobody has chosen it. */
export async function checkLedgerStart(options: CheckLedgerStartOptions): Promise<readonly Finding[]> {
  const { databaseUrl, ledgerStartMs: wantedMs } = options.config
  // `checkDatabase` reports a database that cannot be read.
  const { ledgerStartMs: storedMs } = await storedStart(databaseUrl).catch(() => ({ ledgerStartMs: null }))
  const mismatch = ledgerStartFault(wantedMs, storedMs)
  if (mismatch !== null) return [fault(ABOUT, 'the next start is refused', mismatch)]
  const startMs = storedMs ?? wantedMs ?? defaultLedgerStart(options.clock())
  const shown = ok(
    ABOUT,
    `what the gateway inserted before ${iso(startMs)} is not booked${storedMs === null ? ': the first start keeps this time' : ''}`,
  )
  if (wantedMs !== null) return [shown]
  const oldest = await oldestMs(options)
  if (oldest === null || oldest >= startMs) return [shown]
  const choice =
    storedMs === null
      ? 'Set LEDGER_START before the first start, to the time from which this cashier keeps the books: it cannot be changed later'
      : `If that is right, set LEDGER_START to ${iso(storedMs)}; an earlier time needs a new database`
  return [
    shown,
    note(
      ABOUT,
      `LEDGER_START is not set, and the gateway has transactions from before (the oldest: ${iso(oldest)}): they are shown in the history, and no balance has them. ${choice}`,
    ),
  ]
}
