/** What an operator may do about a user. Each act is in the audit log before it is done. */
import { Problem } from '#lib/contract/problems.ts'
import type { CheckedUser, EndSessionsRequest, ErasedUser, UserTotals } from '#lib/contract/operate/users.ts'
import type { ControlTotals } from '../../ledger/control-totals.ts'
import type { PayoutRow, Store } from '../../store/types.ts'
import type { AuditSubject, NewAuditEntry } from '../audit/audit-entry.ts'
import type { AuditedAct } from '../audit/record-audit.ts'
import { createJoinedWork } from './joined-work.ts'

type Operator = NonNullable<NewAuditEntry['operator']>

/** The result of reading a user's whole list and comparing it with the books; a text: why it could not be. */
export type ReadWholeList = (
  user: string,
) => Promise<{ readonly totals: readonly ControlTotals[]; readonly open: readonly PayoutRow[] } | string>

export type EraseUser = (
  user: string,
  operator: Operator,
) => Promise<
  | {
      readonly outcome: 'erased'
      readonly erased: {
        readonly pseudonym: string
        readonly quarantined: number
        readonly balances: readonly { readonly currency_id: string; readonly available: string }[]
      }
    }
  | {
      readonly outcome: 'open'
      readonly open: readonly { readonly what: string; readonly id: string; readonly status: string }[]
    }
  | { readonly outcome: 'unknown' }
>

export interface UserActsOptions {
  readonly store: Pick<Store, 'sessions' | 'currencies' | 'users'>
  readonly auditedAct: AuditedAct
  /** @throws Problem `not_found` */
  readonly endSession: (sessionId: string) => Promise<void>
  readonly readWholeList: ReadWholeList
  readonly eraseUser: EraseUser
}

const WAIT = { waitMs: 12_000, keepMs: 60_000 } as const

const about = (user: string): AuditSubject => ({ kind: 'user', id: user, user_reference_id: user })

const totalsView = ({ transactions, user_reference_id: _user, ...totals }: ControlTotals): UserTotals => ({
  ...totals,
  transactions: [...transactions],
})

export function createUserActs({ store, auditedAct, endSession, readWholeList, eraseUser }: UserActsOptions) {
  const checks = createJoinedWork<Awaited<ReturnType<ReadWholeList>>>(WAIT)
  const erasures = createJoinedWork<Awaited<ReturnType<EraseUser>>>(WAIT)

  /** Ends sessions of this user only. Returns how many. */
  const endAmong = async (user: string, wanted: string | null): Promise<number> => {
    const unended = await store.sessions.unendedOf(user)
    const ids = wanted === null ? unended : unended.filter((id) => id === wanted)
    for (const id of ids) await endSession(id)
    return ids.length
  }

  return {
    /** @throws Problem `not_found` for a session that is not this user's, or has ended */
    async endUserSessions(
      operator: Operator,
      user: string,
      { session_id, reason }: EndSessionsRequest,
    ): Promise<{ readonly ended: number }> {
      const detail = { session_id }
      return auditedAct({ operator, action: 'user.end_sessions', about: about(user), reason, detail }, async () => {
        const ended = await endAmong(user, session_id)
        if (ended === 0 && session_id !== null) throw new Problem('not_found', 'This user has no such session.')
        return { ended }
      })
    },

    /** Reads the user's whole list at the gateway, applies what the books lack, and compares the totals. */
    async checkUser(operator: Operator, user: string, reason: string): Promise<CheckedUser> {
      const checked = await checks.join(user, async () => {
        if ((await store.users.find(user)) === null) throw new Problem('not_found', 'There is no such user.')
        const entry = { operator, action: 'user.check', about: about(user), reason }
        return auditedAct(entry, () => readWholeList(user))
      })
      if (checked === null) return { state: 'running' }
      if (typeof checked === 'string') return { state: 'done', failure: checked, currencies: [], open_payouts: [] }
      return {
        ...{ state: 'done', failure: null, currencies: checked.totals.map(totalsView) },
        open_payouts: checked.open.map(({ transaction_uuid }) => transaction_uuid),
      }
    },

    /**
     * Erases a user's personal data. @throws Problem `invalid_request` unless the reference was typed, `not_found` if
     * nothing is stored
     */
    async eraseUser(
      operator: Operator,
      user: string,
      given: { readonly user_reference_id: string; readonly reason: string },
    ): Promise<ErasedUser> {
      if (given.user_reference_id !== user)
        throw new Problem('invalid_request', 'Not valid: user_reference_id.', {
          errors: { user_reference_id: ["must be this user's reference"] },
        })
      const done = await erasures.join(user, async () => {
        const entry = { operator, action: 'user.erase', about: about(user), reason: given.reason }
        const isRefusal = ({ outcome }: Awaited<ReturnType<EraseUser>>): boolean => outcome !== 'erased'
        return auditedAct(entry, () => eraseUser(user, operator), isRefusal)
      })
      if (done === null) return { state: 'running' }
      if (done.outcome === 'unknown') throw new Problem('not_found', 'Nothing is stored about this user.')
      if (done.outcome === 'open') return { state: 'open', open: [...done.open] }
      const currencies = new Map((await store.currencies.all()).map((currency) => [currency.id, currency]))
      const { pseudonym, quarantined, balances } = done.erased
      return {
        ...{ state: 'erased', pseudonym, quarantined },
        balances: balances.map(({ currency_id, available }) => ({
          ...{ currency_id, available },
          currency_code: currencies.get(currency_id)?.currency_code ?? '',
          network: currencies.get(currency_id)?.network ?? '',
        })),
      }
    },
  }
}
