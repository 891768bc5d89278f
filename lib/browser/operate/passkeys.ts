/** Sign-in, further touches and invitations, with the browser's own dialog for passkeys. */
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { invitationOptions, passkeyRequest, type InvitationOptions } from '#lib/contract/operate/access.ts'
import { signedInOperator, type SignedInOperator } from '#lib/contract/operate/operators.ts'
import { RequestFailure } from '../request-failure.ts'
import type { ConsoleClient } from './console-client.ts'

type Client = Pick<ConsoleClient, 'send'>

/** @throws RequestFailure, or the browser's error */
const usePasskey =
  (path: 'sign-in' | 'touch') =>
  async (client: Client): Promise<SignedInOperator> => {
    const { options } = await client.send('POST', `${path}/options`, undefined, passkeyRequest)
    const passkey = await startAuthentication({ optionsJSON: options })
    return client.send('POST', path, { passkey }, signedInOperator)
  }

export const signIn = usePasskey('sign-in')
/** Makes the session fresh, so that acts need no further touch for some minutes. */
export const touchPasskey = usePasskey('touch')

/** Whom the link invites. @throws RequestFailure, `not_found` if it does not work */
export const readInvitation = (client: Client, token: string): Promise<InvitationOptions> =>
  client.send('POST', 'invitation/options', { token }, invitationOptions)

/** Creates the passkey and signs in. @throws RequestFailure, or the browser's error */
export async function acceptInvitation(client: Client, token: string, passkey_name: string): Promise<SignedInOperator> {
  // A challenge is used once and ends soon, so each attempt has its own.
  const { options } = await readInvitation(client, token)
  const passkey = await startRegistration({ optionsJSON: options })
  return client.send('POST', 'invitation', { token, passkey_name, passkey }, signedInOperator)
}

/** Why no passkey was created or used. */
export type PasskeyFault =
  /** The person or the browser gave up. */
  | 'given_up'
  /** The authenticator has a passkey of this operator already. */
  | 'known'
  /** The browser allows no passkeys here. */
  | 'not_here'
  /** The server did not accept it. */
  | 'refused'
  | 'other'

const FAULT_BY_NAME: Readonly<Record<string, PasskeyFault>> = {
  NotAllowedError: 'given_up',
  AbortError: 'given_up',
  InvalidStateError: 'known',
  SecurityError: 'not_here',
  NotSupportedError: 'not_here',
}

export function passkeyFault(error: unknown): PasskeyFault {
  if (error instanceof RequestFailure) return error.code === 'unauthenticated' ? 'refused' : 'other'
  if (!(error instanceof Error)) return 'other'
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known'
  return FAULT_BY_NAME[error.name] ?? (error.message.includes('not supported') ? 'not_here' : 'other')
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const

const nameIn = (agent: string, names: readonly (readonly [string, string])[]): string | undefined =>
  names.find(([mark]) => agent.includes(mark))?.[1]

/** A name for a new passkey by which a person recognizes the device, such as `Chrome on Windows`. */
export function suggestedPasskeyName(agent: string): string {
  const parts = [nameIn(agent, BROWSERS), nameIn(agent, SYSTEMS)].filter((part) => part !== undefined)
  return parts.join(' on ') || 'Passkey'
}
