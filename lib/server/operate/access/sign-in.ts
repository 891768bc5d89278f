import type { PasskeyRequest, UsedPasskey } from '#lib/contract/operate/access.ts'
import type { OperatorOfSession, OperatorRow, PasskeyRow, Tx } from '../../store/types.ts'
import { appendAudit } from '../audit/append-audit.ts'
import type { AccessDeps } from './access-deps.ts'
import { beginSession } from './begin-session.ts'
import { ownChallenge, type ChallengeSubject } from './challenges.ts'
import { checkUsed, refusedPasskey, requestOptions } from './passkey-checks.ts'

/** Who is signed in. */
interface InSession {
  readonly id: string
  readonly sessionId: string
}

/** The id that the authenticator keeps with the passkey. */
const userHandleOf = (operatorId: string): string => Buffer.from(operatorId).toString('base64url')

const SIGN_IN: ChallengeSubject = { purpose: 'sign-in', of: '' }

/** Sign-in by a passkey, and the further touch of it that some acts need. */
export function createSignIn(deps: AccessDeps) {
  const { store, site, secrets, clock, newId } = deps

  /** Checks a used passkey, then runs `work` for its operator, once. @throws Problem `unauthenticated` */
  async function withPasskey<T>(
    passkey: UsedPasskey,
    subject: ChallengeSubject,
    work: (tx: Tx, operator: OperatorRow, row: PasskeyRow) => Promise<T>,
  ): Promise<T> {
    const row = await store.operatorPasskeys.findPasskey(passkey.id)
    if (row === null) throw refusedPasskey('no such passkey')
    const { userHandle } = passkey.response
    if (userHandle !== undefined && userHandle !== userHandleOf(row.operator_id))
      throw refusedPasskey('the passkey is of another operator')
    const challenge = ownChallenge(secrets, subject, clock())
    const counter = await checkUsed(site, passkey, row, challenge.isOurs)
    return store.transaction(async (tx) => {
      const operator = await tx.operators.lock(row.operator_id)
      if (operator === null || operator.disabled_ms !== null) throw refusedPasskey('the operator is disabled')
      if (!(await challenge.use(tx))) throw refusedPasskey('the challenge was used before')
      if (!(await tx.operatorPasskeys.usePasskey(row, counter, tx.now)))
        throw refusedPasskey('the passkey was revoked or used meanwhile')
      return work(tx, operator, row)
    })
  }

  return {
    /** The same for everybody: the browser offers the passkeys that it has for this site. */
    signInOptions: (): PasskeyRequest => ({ options: requestOptions(site, null, deps.newChallenge(SIGN_IN)) }),

    /** @param previous the session of the same browser, which ends. @throws Problem `unauthenticated` */
    signIn: (passkey: UsedPasskey, previous: string | null): Promise<OperatorOfSession> =>
      withPasskey(passkey, SIGN_IN, async (tx, operator, row) => {
        if (previous !== null) await tx.operators.endSession(previous, tx.now)
        const begun = await beginSession(tx, operator, newId())
        await appendAudit(tx, {
          operator,
          action: 'operator.sign_in',
          about: { kind: 'operator', id: operator.id },
          detail: { passkey_id: row.id, passkey_name: row.name },
        })
        return begun
      }),

    async touchOptions({ id, sessionId }: InSession): Promise<PasskeyRequest> {
      const own = await store.operatorPasskeys.listPasskeys(id)
      return { options: requestOptions(site, own, deps.newChallenge({ purpose: 'touch', of: sessionId })) }
    },

    /** Marks the session as fresh. @throws Problem `unauthenticated` */
    touch: ({ id, sessionId }: InSession, passkey: UsedPasskey): Promise<void> =>
      withPasskey(passkey, { purpose: 'touch', of: sessionId }, async (tx, operator) => {
        if (operator.id !== id) throw refusedPasskey('the passkey is of another operator')
        await tx.operators.touchSession(sessionId, tx.now)
      }),
  }
}
