import type { Store } from '../../store/types.ts'
import type { ChallengeSubject } from './challenges.ts'
import type { PasskeySite } from './passkey-checks.ts'

/** What invitations and sign-ins need. */
export interface AccessDeps {
  readonly store: Pick<Store, 'transaction' | 'operators' | 'operatorPasskeys' | 'operatorInvitations'>
  readonly site: PasskeySite
  /** The first seals challenges; all open. */
  readonly secrets: readonly [string, ...string[]]
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly newId: () => string
  readonly newChallenge: (subject: ChallengeSubject) => Uint8Array<ArrayBuffer>
}
