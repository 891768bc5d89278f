/** What the browser needs to create or use a passkey, and the check of what it answers. */
import type { z } from 'zod/mini'
import type {
  CreatedPasskey,
  passkeyCreationOptions,
  passkeyRequestOptions,
  UsedPasskey,
} from '#lib/contract/operate/access.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { PasskeyRow } from '../../store/types.ts'

/** Loaded on first use: it is large, and most instances sign nobody in for hours. */
const library = () => import('@simplewebauthn/server')

const TIMEOUT_MS = 5 * 60_000
/** EdDSA, ES256 and RS256: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]

/** The site that passkeys belong to. */
export interface PasskeySite {
  /** The relying party's id: the host name. */
  readonly id: string
  readonly origin: string
  /** Shown by the browser. */
  readonly name: string
}

/** @param publicUrl an origin */
export function passkeySite(publicUrl: string): PasskeySite {
  const { hostname } = new URL(publicUrl)
  return { id: hostname, origin: publicUrl, name: `Cashier console at ${hostname}` }
}

/** True for a challenge of ours that may still be used. */
type ChallengeCheck = (challenge: string) => boolean

/** One answer to every refusal: it does not say whether the passkey is known. @param cause for the log */
export const refusedPasskey = (cause: unknown): Problem =>
  new Problem('unauthenticated', 'The passkey was not accepted.', { cause })

const known = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  type: 'public-key' as const,
  transports: [...transportsOf(transports)],
})

/** @param json as `addPasskey` stored it */
const transportsOf = (json: string): readonly string[] => JSON.parse(json) as readonly string[]

/** @param existing passkeys of the operator, which shall not be made twice on one authenticator */
export async function creationOptions(
  site: PasskeySite,
  operator: { readonly id: string; readonly name: string },
  existing: readonly PasskeyRow[],
  challenge: Uint8Array<ArrayBuffer>,
): Promise<z.output<typeof passkeyCreationOptions>> {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: site.name,
    rpID: site.id,
    userName: operator.name,
    userDisplayName: operator.name,
    userID: new Uint8Array(Buffer.from(operator.id)),
    challenge,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return {
    rp: { id: site.id, name: site.name },
    user: options.user,
    challenge: options.challenge,
    pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: existing.map(known),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

/** @param allowed the passkeys that may be used; null: the browser offers those that it has for this site */
export function requestOptions(
  site: PasskeySite,
  allowed: readonly PasskeyRow[] | null,
  challenge: Uint8Array<ArrayBuffer>,
): z.output<typeof passkeyRequestOptions> {
  return {
    rpId: site.id,
    challenge: Buffer.from(challenge).toString('base64url'),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed.map(known) }),
  }
}

/** What is stored of a new passkey. */
export type CheckedPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports'>

/** @throws Problem `unauthenticated` */
export async function checkCreated(
  site: PasskeySite,
  passkey: CreatedPasskey,
  isOurs: ChallengeCheck,
): Promise<CheckedPasskey> {
  const { verifyRegistrationResponse } = await library()
  const checked = await verifyRegistrationResponse({
    response: passkey,
    expectedChallenge: isOurs,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    throw refusedPasskey(error)
  })
  if (!checked.verified) throw refusedPasskey('the attestation is not valid')
  const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: JSON.stringify(transports),
  }
}

/** The authenticator's counter after this use. @throws Problem `unauthenticated` */
export async function checkUsed(
  site: PasskeySite,
  passkey: UsedPasskey,
  row: PasskeyRow,
  isOurs: ChallengeCheck,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library()
  const checked = await verifyAuthenticationResponse({
    response: passkey,
    expectedChallenge: isOurs,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
    },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw refusedPasskey(error)
  })
  if (!checked.verified) throw refusedPasskey('the signature is not valid')
  return checked.authenticationInfo.newCounter
}
