import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { OperatorRow, Store, Tx } from '../../store/types.ts'
import { appendAudit } from '../audit/append-audit.ts'
import type { AccessActor } from './invite-operator.ts'

/** @throws Problem `conflict` if nobody could sign in as an admin any more */
async function requireAdmin(tx: Tx): Promise<void> {
  const operators = await tx.operators.lockAll()
  const withPasskey = new Set((await tx.operatorPasskeys.listPasskeys(null)).map((row) => row.operator_id))
  const isAdmin = ({ id, role, disabled_ms }: OperatorRow): boolean =>
    role === 'admin' && disabled_ms === null && withPasskey.has(id)
  if (!operators.some(isAdmin)) throw new Problem('conflict', 'Then no admin could sign in any more.')
}

interface Change {
  readonly action: 'change_role' | 'disable' | 'enable' | 'revoke_passkey'
  readonly reason: string | null
  /** For the audit log. */
  readonly detail: Readonly<Record<string, unknown>>
  /** Changes what is stored. @throws Problem if it cannot */
  readonly make: (tx: Tx, operator: OperatorRow) => Promise<void>
}

/**
 * Changes of operators. Each ends the operator's sessions: whoever holds one has to sign in with what is left.
 * An operator may not leave the console without an admin; a command on the machine may, since it can invite another.
 */
export function createChangeOperator(store: Pick<Store, 'transaction'>) {
  const change = (by: AccessActor, id: string, { action, reason, detail, make }: Change): Promise<void> =>
    store.transaction(async (tx) => {
      const operator = (await tx.operators.lockAll()).find((row) => row.id === id)
      if (operator === undefined) throw new Problem('not_found', 'There is no such operator.')
      await make(tx, operator)
      if (by !== null) await requireAdmin(tx)
      await tx.operators.endSessionsOf(id, tx.now)
      const about = { kind: 'operator', id }
      await appendAudit(tx, {
        operator: by,
        action: `operator.${action}`,
        about,
        reason,
        detail: { name: operator.name, ...detail },
      })
    })
  return {
    /** @throws Problem `not_found`, `conflict` */
    changeRole: (by: AccessActor, id: string, role: OperatorRole, reason: string | null): Promise<void> =>
      change(by, id, {
        action: 'change_role',
        reason,
        detail: { role },
        async make(tx, operator) {
          if (operator.role === role) throw new Problem('conflict', `${operator.name} has the role ${role} already.`)
          await tx.operators.changeRole(id, role)
        },
      }),

    /** @throws Problem `not_found`, `conflict` */
    setEnabled: (by: AccessActor, id: string, enabled: boolean, reason: string | null): Promise<void> =>
      change(by, id, {
        action: enabled ? 'enable' : 'disable',
        reason,
        detail: {},
        async make(tx, { name, disabled_ms }) {
          if ((disabled_ms === null) === enabled)
            throw new Problem('conflict', `${name} is ${enabled ? 'enabled' : 'disabled'} already.`)
          await tx.operators.setDisabled(id, enabled ? null : tx.now)
          await tx.operatorInvitations.withdrawInvitation(id)
        },
      }),

    /** @throws Problem `not_found`, `conflict` */
    revokePasskey: (by: AccessActor, id: string, passkeyId: string, reason: string | null): Promise<void> =>
      change(by, id, {
        action: 'revoke_passkey',
        reason,
        detail: { passkey_id: passkeyId },
        async make(tx) {
          if (!(await tx.operatorPasskeys.revokePasskey(passkeyId, id, tx.now)))
            throw new Problem('not_found', 'There is no such passkey.')
        },
      }),
  }
}
