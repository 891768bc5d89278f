import { createHash } from 'node:crypto'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { OperatorRow, Store } from '../../store/types.ts'
import { appendAudit } from '../audit/append-audit.ts'
import type { NewAuditEntry } from '../audit/audit-entry.ts'

const INVITATION_MS = 3_600_000
const TOKEN_BYTES = 32

/** An operator who acts; null: a command on the machine. */
export type AccessActor = NewAuditEntry['operator']

/** Names are the same without regard to case and to forms of a character. */
export const operatorNameKey = (name: string): string => name.trim().normalize('NFKC').toLowerCase()

/** The hash under which an invitation is stored. */
export const invitationHash = (token: string): string => createHash('sha256').update(token).digest('base64url')

export interface InvitationFor {
  readonly name: string
  /** Null: the operator exists, and gets a further passkey. */
  readonly role: OperatorRole | null
}

export interface Invited {
  readonly operator: Pick<OperatorRow, 'id' | 'name' | 'role'>
  /** The token is in the fragment, which no server logs. */
  readonly link: string
  /** Milliseconds since 1970. */
  readonly expiresMs: number
}

export interface InviteDeps {
  readonly store: Pick<Store, 'transaction'>
  /** An origin. */
  readonly publicUrl: string
  readonly newId: () => string
  readonly randomBytes: (count: number) => Buffer
}

/** The operator who already has the name may be invited. @throws Problem `conflict` */
function checkExisting({ name, role, disabled_ms }: OperatorRow, wanted: OperatorRole | null): void {
  if (disabled_ms !== null) throw new Problem('conflict', `${name} is disabled: enable the operator first.`)
  if (wanted !== null && wanted !== role)
    throw new Problem('conflict', `${name} exists with the role ${role}: change the role, or use another name.`)
}

/**
 * Invites a new operator, or an existing one to a further passkey. The link works once, for an hour, and replaces an
 * earlier one.
 * @throws Problem `invalid_request` for a new name without a role; `conflict` if the operator is disabled or has another
 * role
 */
export function createInviteOperator({ store, publicUrl, newId, randomBytes }: InviteDeps) {
  return async (by: AccessActor, { name: given, role }: InvitationFor): Promise<Invited> => {
    const name = given.trim()
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const id = newId()
    return store.transaction(async (tx) => {
      const existing = (await tx.operators.lockAll()).find(({ name_key }) => name_key === operatorNameKey(name))
      if (existing !== undefined) checkExisting(existing, role)
      else if (role === null)
        throw new Problem('invalid_request', `Nobody is called ${name}: a new operator needs a role.`, {
          errors: { role: ['is required for a new operator'] },
        })
      const operator = existing ?? newOperator(id, name, role ?? 'viewer', tx.now)
      if (existing === undefined) await tx.operators.add(operator)
      const expiresMs = tx.now + INVITATION_MS
      const row = {
        token_hash: invitationHash(token),
        operator_id: operator.id,
        created_ms: tx.now,
        expires_ms: expiresMs,
      }
      await tx.operatorInvitations.invite(row, tx.now)
      await appendAudit(tx, {
        operator: by,
        action: 'operator.invite',
        about: { kind: 'operator', id: operator.id },
        detail: { name: operator.name, role: operator.role, new: existing === undefined },
      })
      return { operator, link: `${publicUrl}/operate/invitation#${token}`, expiresMs }
    })
  }
}

const newOperator = (id: string, name: string, role: OperatorRole, now: number): OperatorRow => ({
  id,
  name,
  name_key: operatorNameKey(name),
  role,
  created_ms: now,
  disabled_ms: null,
})
