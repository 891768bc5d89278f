/** Supplies the console's sign-in, its operators and its page of settings with their dependencies. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { AccessDeps } from '../operate/access/access-deps.ts'
import { createAcceptInvitation } from '../operate/access/accept-invitation.ts'
import { createChangeOperator } from '../operate/access/change-operator.ts'
import { newChallenge } from '../operate/access/challenges.ts'
import { createInviteOperator } from '../operate/access/invite-operator.ts'
import { createListOperators } from '../operate/access/list-operators.ts'
import { passkeySite } from '../operate/access/passkey-checks.ts'
import { createSignIn } from '../operate/access/sign-in.ts'
import type { Store } from '../store/types.ts'
import type { Config } from './config/config.ts'
import { createDescribeSettings, createExamine } from './console-settings.ts'
import type { Version } from './version.ts'

export interface ConsoleAccessOptions {
  readonly config: Config
  readonly store: Store
  readonly version: Version
  /** The name of this process among the instances. */
  readonly instance: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

export function composeConsoleAccess({ config, store, version, instance, clock }: ConsoleAccessOptions) {
  const { publicUrl, sessionSecrets: secrets } = config
  const access: AccessDeps = {
    store,
    site: passkeySite(publicUrl),
    secrets,
    clock,
    newId: randomUUID,
    newChallenge: (subject) => newChallenge(secrets[0], subject, clock(), randomBytes),
  }
  return {
    ...createAcceptInvitation(access),
    ...createSignIn(access),
    ...createChangeOperator(store),
    inviteOperator: createInviteOperator({ store, publicUrl, newId: randomUUID, randomBytes }),
    listOperators: createListOperators(store, clock),
    describeSettings: createDescribeSettings({ config, store, version, instance }),
    examine: createExamine(config, { version, clock, newNonce: randomUUID, fetch: globalThis.fetch }),
  }
}
