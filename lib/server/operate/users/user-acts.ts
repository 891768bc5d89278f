/** What an operator may do about a user. */
import { Problem } from '#lib/contract/problems.ts'
import type { CheckedUser, ErasedUser, UserTotals } from '#lib/contract/operate/users.ts'
import type { ControlTotals } from '../../ledger/control-totals.ts'
import type { NewAuditEntry, PayoutRow, Store } from '../../store/types.ts'
import { createJoinedWork } from './joined-work.ts'

type Operator = NonNullable<NewAuditEntry['operator']>

/** The result of reading a user's whole list and comparing it with the books; a text: why it could not be. */
export type ReadWholeList = (
  user: string,
) => Promise<{ readonly totals: readonly ControlTotals[]; readonly open: readonly PayoutRow[] } | string>

interface OpenItem {
  readonly what: string
  readonly id: string
  readonly status: string
}

interface Erased {
  readonly pseudonym: string
  readonly quarantined: number
  readonly balances: readonly { readonly currency_id: string; readonly available: string }[]
}

export type EraseUser = (
  user: string,
  operator: Operator,
) => Promise<
  | { readonly outcome: 'erased'; readonly erased: Erased }
  | { readonly outcome: 'open'; readonly open: readonly OpenItem[] }
  | { readonly outcome: 'unknown' }
>

/** Stores that an act begins, runs it, and stores what became of it. */
export type AuditedUserAct = <T>(act: () => Promise<T>) => Promise<T>

export interface UserActsOptions {
  readonly store: Pick<Store, 'sessions' | 'currencies' | 'users'>
  /** @throws Problem `not_found` */
  readonly endSession: (sessionId: string) => Promise<void>
  readonly readWholeList: ReadWholeList
  readonly eraseUser: EraseUser
}

const WAIT = { waitMs: 12_000, keepMs: 60_000 } as const

/** Nothing was erased, since something is open. */
class NothingErased extends Problem {
  readonly open: readonly OpenItem[]

  constructor(open: readonly OpenItem[]) {
    super('conflict', 'Something about this user is open.')
    this.open = open
  }
}

const totalsView = ({ transactions, user_reference_id: _user, ...totals }: ControlTotals): UserTotals => ({
  ...totals,
  transactions: [...transactions],
})

export function createUserActs({ store, endSession, readWholeList, eraseUser }: UserActsOptions) {
  const checks = createJoinedWork<Awaited<ReturnType<ReadWholeList>>>(WAIT)
  const erasures = createJoinedWork<Erased>(WAIT)

  const erase = async (user: string, operator: Operator): Promise<Erased> => {
    const done = await eraseUser(user, operator)
    if (done.outcome === 'erased') return done.erased
    if (done.outcome === 'open') throw new NothingErased(done.open)
    throw new Problem('not_found', 'Nothing is stored about this user.')
  }

  const erasedView = async ({ pseudonym, quarantined, balances }: Erased): Promise<ErasedUser> => {
    const currencies = new Map((await store.currencies.all()).map((currency) => [currency.id, currency]))
    return {
      ...{ state: 'erased', pseudonym, quarantined },
      balances: balances.map(({ currency_id, available }) => ({
        ...{ currency_id, available },
        currency_code: currencies.get(currency_id)?.currency_code ?? '',
        network: currencies.get(currency_id)?.network ?? '',
      })),
    }
  }

  return {
    /**
     * Ends a session of this user, or all of them. @throws Problem `not_found` for a session that is not this user's,
     * or has ended
     */
    async endUserSessions(user: string, wanted: string | null): Promise<{ readonly ended: number }> {
      const unended = await store.sessions.unendedOf(user)
      const ids = wanted === null ? unended : unended.filter((id) => id === wanted)
      if (ids.length === 0 && wanted !== null) throw new Problem('not_found', 'This user has no such session.')
      for (const id of ids) await endSession(id)
      return { ended: ids.length }
    },

    /**
     * Reads the user's whole list at the gateway, applies what the books lack, and compares the totals. Only the call
     * that begins it is audited. @throws Problem `not_found`
     */
    async checkUser(user: string, audited: AuditedUserAct): Promise<CheckedUser> {
      const checked = await checks.join(user, () =>
        audited(async () => {
          if ((await store.users.find(user)) === null) throw new Problem('not_found', 'There is no such user.')
          return readWholeList(user)
        }),
      )
      if (checked === null) return { state: 'running' }
      if (typeof checked === 'string') return { state: 'done', failure: checked, currencies: [], open_payouts: [] }
      return {
        ...{ state: 'done', failure: null, currencies: checked.totals.map(totalsView) },
        open_payouts: checked.open.map(({ transaction_uuid }) => transaction_uuid),
      }
    },

    /**
     * Erases a user's personal data. @param typed the user's reference, typed again
     * @throws Problem `invalid_request` unless it was typed, `not_found` if nothing is stored
     */
    async eraseUser(
      user: string,
      {
        operator,
        typed,
        audited,
      }: { readonly operator: Operator; readonly typed: string; readonly audited: AuditedUserAct },
    ): Promise<ErasedUser> {
      if (typed !== user)
        throw new Problem('invalid_request', 'Not valid: user_reference_id.', {
          errors: { user_reference_id: ["must be this user's reference"] },
        })
      try {
        const erased = await erasures.join(user, () => audited(() => erase(user, operator)))
        return erased === null ? { state: 'running' } : await erasedView(erased)
      } catch (error) {
        if (error instanceof NothingErased) return { state: 'open', open: [...error.open] }
        throw error
      }
    },
  }
}
