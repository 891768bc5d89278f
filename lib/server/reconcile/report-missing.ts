import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import { possibleTransactions, reportLost, reportReturned, reportVanished } from '../ledger/vanished-records.ts'
import type { Store } from '../store/types.ts'
import type { ScanRound } from './scan-round.ts'

/** Transactions in one unit of work. */
const UNIT = 200

type Complete = Pick<ScanRound, 'missing' | 'lacksRecent'>

async function inUnits<T>(all: readonly T[], work: (some: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += UNIT) await work(all.slice(from, from + UNIT))
}

const withMissing = (
  store: Store,
  user: string,
  uuids: readonly string[],
  work: (unit: UnitOfWork) => void,
): Promise<void> => store.unitOfWork({ users: [user], transactions: uuids.flatMap(possibleTransactions) }, work)

/** Reports booked transactions whose records a complete scan did not have, or has again, once each time. */
export async function reportMissing(store: Store, user: string, { missing }: Complete): Promise<void> {
  const gone = new Set(missing)
  const returned = (await store.overdue.vanished(user)).filter(({ transaction_uuid }) => !gone.has(transaction_uuid))
  await inUnits(returned, async (transactions) => {
    const open = await store.overdue.openContradictions(transactions.map(({ transaction_uuid }) => transaction_uuid))
    await store.unitOfWork({ users: [user], transactions }, (unit) => {
      reportReturned(unit, transactions, open)
    })
  })
  await inUnits(missing, (uuids) =>
    withMissing(store, user, uuids, (unit) => {
      reportVanished(unit, user, uuids)
    }),
  )
}

/**
 * Whether a complete scan may prove an absence: it has every stored record, but those whose loss was reported and
 * settled by a person. A list that has lost one record may have lost the payout too.
 */
export async function mayProveAbsence(store: Store, user: string, scan: Complete): Promise<boolean> {
  const { missing, lacksRecent } = scan
  await inUnits(missing, async (uuids) => {
    const told = await store.quarantine.reported(user, 'contradiction', uuids)
    await withMissing(store, user, uuids, (unit) => {
      reportLost(unit, user, uuids, told)
    })
  })
  return !lacksRecent && (await store.overdue.openContradictions(missing)).size === 0
}
