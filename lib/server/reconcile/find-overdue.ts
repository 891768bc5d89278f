import { createRenewal } from '../jobs/renewal.ts'
import {
  asFactsOfSession,
  reportAwaited,
  reportDelivery,
  reportOverdue,
  reportUnreadable,
  type DueKeys,
} from '../ledger/overdue.ts'
import { listKey } from '../ledger/line-key.ts'
import { longAgo } from '../ledger/long-ago.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { Store, Tx } from '../store/types.ts'

export interface FindOverdueOptions {
  readonly store: Pick<Store, 'overdue' | 'transaction' | 'unitOfWork'>
  readonly clock: () => number
  /** `OVERDUE_S`. */
  readonly overdueMs: number
  readonly onFault: (error: unknown, what: string, user?: string) => void
}

const EVERY_MS = 60_000
const LIMIT = 200

interface DueOfUser extends DueKeys {
  readonly users: readonly string[]
}

/**
 * Reports, every minute or each `OVERDUE_S` if that is shorter, what has waited too long for the gateway: one unit of
 * work for each user. It needs no answer of the gateway. Lists beyond `LIMIT` are reported a minute later. Runs on one
 * instance at a time.
 */
export function createFindOverdue({ store, clock, overdueMs, onFault }: FindOverdueOptions) {
  const check = createRenewal(clock)

  /** What fails for one user stops no other user's reports. Returns how many were marked. */
  const guarded = (user: string | undefined, work: () => Promise<number>): Promise<number> =>
    work().catch((error: unknown) => {
      onFault(error, 'report what is overdue', user)
      return 0
    })

  const find = async (): Promise<readonly DueOfUser[]> => {
    const now = clock()
    const waited = longAgo(now, now - overdueMs)
    const withdrawals = [
      ...(await store.overdue.withdrawals(waited, LIMIT)),
      ...(await store.overdue.reviews(waited, LIMIT)),
    ]
    const transactions = await store.overdue.transactions(waited, LIMIT)
    const named = {
      withdrawals: Map.groupBy(withdrawals, ({ user_reference_id }) => user_reference_id),
      transactions: Map.groupBy(transactions, ({ user_reference_id }) => user_reference_id),
    }
    const users = new Set([...named.withdrawals.keys(), ...named.transactions.keys()])
    return [
      ...[...users]
        .filter((user) => user !== null)
        .map((user) => ({
          users: [user],
          withdrawals: (named.withdrawals.get(user) ?? []).map(({ id }) => id),
          transactions: named.transactions.get(user) ?? [],
        })),
      // Purchases that name no user: the users of their sessions are locked with them.
      ...(named.transactions.get(null) ?? []).map((one) => ({ users: [], withdrawals: [], transactions: [one] })),
    ]
  }

  const judge = (due: DueOfUser): Promise<number> =>
    store.transaction(async (tx) => {
      const unit = await tx.load(due)
      const facts = asFactsOfSession(unit, due.transactions)
      if (facts.length > 0) await tx.loadRelated(unit, facts)
      const marked = reportOverdue(unit, due, overdueMs)
      await tx.save(unit)
      return marked
    })

  const onUser = (user: string, work: (unit: UnitOfWork, tx: Tx) => Promise<void> | void): Promise<number> =>
    guarded(user, () =>
      store.transaction(async (tx) => {
        const unit = await tx.load({ users: [user], attemptsOf: [user] })
        await work(unit, tx)
        await tx.save(unit)
        return 0
      }),
    )

  const judgeLists = async (goOn: () => boolean): Promise<void> => {
    for (const user of await store.overdue.readableAgain(LIMIT)) {
      if (!goOn()) return
      await onUser(user, (unit) => {
        unit.settleReport('overdue', listKey(user))
      })
    }
    for (const { user_reference_id: user, unreadable_ms } of await store.overdue.lists(overdueMs, LIMIT)) {
      if (!goOn()) return
      await onUser(user, async (unit, tx) => {
        reportUnreadable(unit, user, unreadable_ms)
        await tx.users.listTold(user)
      })
    }
  }

  const judgeAwaited = async (goOn: () => boolean): Promise<void> => {
    const now = clock()
    for (const user of await store.overdue.awaited(longAgo(now, now - overdueMs), LIMIT)) {
      if (!goOn()) return
      await onUser(user, (unit) => {
        reportAwaited(unit, user, overdueMs)
      })
    }
  }

  const judgeDeliveries = async (goOn: () => boolean): Promise<void> => {
    for (const { user_reference_id: user, transaction_uuid, deposit_uuid } of await store.overdue.deliveries(LIMIT)) {
      if (!goOn()) return
      const purchase = { kind: 'onramp', transaction_uuid, deposit_uuid } as const
      const transactions = [purchase, { kind: 'deposit', transaction_uuid: deposit_uuid } as const]
      await guarded(user ?? undefined, async () => {
        await store.unitOfWork({ users: [], transactions }, (unit) => {
          reportDelivery(unit, purchase)
        })
        return 0
      })
    }
  }

  return async (goOn: () => boolean): Promise<void> => {
    if (!check.isDue()) return
    check.nextIn(Math.min(EVERY_MS, overdueMs))
    await judgeLists(goOn)
    await judgeAwaited(goOn)
    await judgeDeliveries(goOn)
    let marked = LIMIT
    while (marked >= LIMIT) {
      marked = 0
      for (const due of await find()) {
        if (!goOn()) return
        marked += await guarded(due.users[0], () => judge(due))
      }
    }
  }
}
