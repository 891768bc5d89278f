import type { InvitationAcceptance, InvitationOptions } from '#lib/contract/operate/access.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { InvitationRow, OperatorOfSession, OperatorRow } from '../../store/types.ts'
import { appendAudit } from '../audit/append-audit.ts'
import type { AccessDeps } from './access-deps.ts'
import { beginSession } from './begin-session.ts'
import { ownChallenge } from './challenges.ts'
import { invitationHash } from './invite-operator.ts'
import { checkCreated, creationOptions, refusedPasskey } from './passkey-checks.ts'

/** The same answer to a link that never was, was used, or is over. */
const noInvitation = (): Problem => new Problem('not_found', 'This invitation does not work: ask for another.')

/** Accepting an invitation creates a passkey, and signs in. */
export function createAcceptInvitation(deps: AccessDeps) {
  const { store, site, secrets, clock, newId } = deps

  const find = async (hash: string): Promise<{ invitation: InvitationRow; operator: OperatorRow }> => {
    const invitation = await store.operatorInvitations.findInvitation(hash, clock())
    const operator = invitation === null ? null : await store.operators.find(invitation.operator_id)
    if (invitation === null || operator === null || operator.disabled_ms !== null) throw noInvitation()
    return { invitation, operator }
  }

  return {
    /** @throws Problem `not_found` */
    async invitationOptions(token: string): Promise<InvitationOptions> {
      const of = invitationHash(token)
      const { operator } = await find(of)
      const existing = await store.operatorPasskeys.listPasskeys(operator.id)
      const challenge = deps.newChallenge({ purpose: 'invitation', of })
      return {
        operator: { name: operator.name, role: operator.role },
        options: await creationOptions(site, operator, existing, challenge),
      }
    },

    /** @throws Problem `not_found`, `unauthenticated` */
    async acceptInvitation({ token, passkey_name, passkey }: InvitationAcceptance): Promise<OperatorOfSession> {
      const of = invitationHash(token)
      const { operator } = await find(of)
      const challenge = ownChallenge(secrets, { purpose: 'invitation', of }, clock())
      const checked = await checkCreated(site, passkey, challenge.isOurs)
      const [passkeyId, sessionId] = [newId(), newId()]
      return store.transaction(async (tx) => {
        const locked = await tx.operators.lock(operator.id)
        if (locked === null || locked.disabled_ms !== null) throw noInvitation()
        if (!(await tx.operatorInvitations.useInvitation(of, tx.now))) throw noInvitation()
        if (!(await challenge.use(tx))) throw refusedPasskey('the challenge was used before')
        const added = await tx.operatorPasskeys.addPasskey({
          ...checked,
          id: passkeyId,
          operator_id: operator.id,
          name: passkey_name.trim(),
          created_ms: tx.now,
          last_used_ms: tx.now,
          revoked_ms: null,
        })
        if (!added) throw refusedPasskey('the passkey is known already')
        const begun = await beginSession(tx, locked, sessionId)
        await appendAudit(tx, {
          operator: locked,
          action: 'passkey.create',
          about: { kind: 'operator', id: locked.id },
          detail: { passkey_id: passkeyId, passkey_name: passkey_name.trim() },
        })
        return begun
      })
    },
  }
}
