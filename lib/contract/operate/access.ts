/** How operators get into the console: invitations, passkeys, sign-in. Binary values are base64url text. */
import * as z from 'zod/mini'
import { plainTextField } from '../plain-text.ts'
import { patternField } from '../request-fields.ts'
import { operatorRole } from './operators.ts'

const base64url = (most: number) =>
  patternField(/^[A-Za-z0-9_-]+$/, 'must be base64url').check(z.maxLength(most, { error: 'is too long' }))

/** The token of an invitation's link: 32 random bytes. */
const invitationToken = patternField(/^[A-Za-z0-9_-]{43}$/, 'must be the end of an invitation’s link')

const MOST_TRANSPORTS = 10
const transports = z.array(z.string().check(z.maxLength(30))).check(z.maxLength(MOST_TRANSPORTS))

/** The longest id of a credential has 1023 bytes. */
const credentialId = base64url(1364)

const credentialOf = <T extends z.core.$ZodType>(response: T) =>
  z.object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response,
    // None is used. The library wants the field.
    clientExtensionResults: z.pipe(
      z.unknown(),
      z.transform(() => ({})),
    ),
  })

/** A new passkey, as `startRegistration` returns it. */
export const createdPasskey = credentialOf(
  z.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(12_000),
    transports: z.exactOptional(transports),
  }),
)
export type CreatedPasskey = z.output<typeof createdPasskey>

/** A passkey that was used, as `startAuthentication` returns it. */
export const usedPasskey = credentialOf(
  z.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    userHandle: z.exactOptional(z.string().check(z.maxLength(100))),
  }),
)
export type UsedPasskey = z.output<typeof usedPasskey>

const knownCredential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.exactOptional(z.array(z.string())),
})

/** What the browser needs to create a passkey. */
export const passkeyCreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(knownCredential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

/** What the browser needs to use a passkey. Without `allowCredentials` it offers those that it has for this site. */
export const passkeyRequestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.exactOptional(z.array(knownCredential)),
})

export const operatorName = plainTextField(60)
const passkeyName = plainTextField(60)

/** `POST /api/operate/invitation/options` */
export const invitationRequest = z.strictObject({ token: invitationToken })

/** Whom a link invites, and what the browser needs to create the passkey. */
export const invitationOptions = z.object({
  operator: z.object({ name: z.string(), role: operatorRole }),
  options: passkeyCreationOptions,
})
export type InvitationOptions = z.output<typeof invitationOptions>

/** `POST /api/operate/invitation` */
export const invitationAcceptance = z.strictObject({
  token: invitationToken,
  passkey_name: passkeyName,
  passkey: createdPasskey,
})
export type InvitationAcceptance = z.output<typeof invitationAcceptance>

/** The answer of `POST /api/operate/sign-in/options` and `/touch/options`. */
export const passkeyRequest = z.object({ options: passkeyRequestOptions })
export type PasskeyRequest = z.output<typeof passkeyRequest>

/** `POST /api/operate/sign-in` and `/touch` */
export const passkeyAnswer = z.strictObject({ passkey: usedPasskey })

const listedOperator = z.object({
  id: z.string(),
  name: z.string(),
  role: operatorRole,
  created_at: z.string(),
  /** ISO time since which the operator may not sign in; null: may sign in. */
  disabled_at: z.nullable(z.string()),
  /** Null: never signed in. */
  last_seen_at: z.nullable(z.string()),
  /** Until when an invitation may be accepted; null: there is none. */
  invited_until: z.nullable(z.string()),
  passkeys: z.array(z.object({ id: z.string(), name: z.string(), created_at: z.string(), last_used_at: z.string() })),
})
export type ListedOperator = z.output<typeof listedOperator>

/** The answer of `GET /api/operate/operators` */
export const operatorsAnswer = z.object({ operators: z.array(listedOperator) })

/** `POST /api/operate/operators/invitations`. Without a role it invites an existing operator to a further passkey. */
export const invitationOrder = z.strictObject({ name: operatorName, role: z.nullable(operatorRole) })

/** The answer: the link is shown once. */
export const orderedInvitation = z.object({
  name: z.string(),
  role: operatorRole,
  link: z.string(),
  expires_at: z.string(),
})

const reason = plainTextField(500)

/** `PUT /api/operate/operators/{id}/role` */
export const roleChange = z.strictObject({ role: operatorRole, reason })

/** `PUT /api/operate/operators/{id}/access` */
export const accessChange = z.strictObject({ enabled: z.boolean(), reason })

/** `POST /api/operate/operators/{id}/passkeys/{passkey_id}/revocation` */
export const passkeyRevocation = z.strictObject({ reason })
