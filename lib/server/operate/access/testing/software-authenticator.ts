/** An authenticator without hardware, which answers as a browser passes it on. It can be told to misbehave. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { CreatedPasskey, UsedPasskey } from '#lib/contract/operate/access.ts'

interface CeremonyOptions {
  readonly challenge: string
  readonly rpId: string
}

/** What differs from a faultless answer. */
export interface Misbehaviour {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly userVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string
  /** Signs with another key. */
  readonly foreign?: boolean
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | Uint8Array): string => Buffer.from(data).toString('base64url')

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

function coseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const fields = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  return isoCBOR.encode(fields)
}

export function softwareAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const id = base64url(credentialId)
  let counter = 0

  const clientData = (type: string, { challenge }: CeremonyOptions, wrong: Misbehaviour): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    )

  const authenticatorData = ({ rpId }: CeremonyOptions, wrong: Misbehaviour, credential: Buffer): Buffer => {
    const verified = wrong.userVerified === false ? 0 : USER_VERIFIED
    const head = Buffer.alloc(5)
    head.writeUInt8(USER_PRESENT | verified | (credential.length > 0 ? HAS_CREDENTIAL : 0), 0)
    counter += 1
    head.writeUInt32BE(wrong.counter ?? counter, 1)
    return Buffer.concat([sha256(wrong.rpId ?? rpId), head, credential])
  }

  return {
    id,
    create(options: CeremonyOptions, wrong: Misbehaviour = {}): CreatedPasskey {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)])
      const authData = new Uint8Array(authenticatorData(options, wrong, credential))
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options, wrong)),
          attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
          transports: ['internal'],
        },
      }
    },
    use(options: CeremonyOptions, wrong: Misbehaviour = {}): UsedPasskey {
      const clientDataJSON = clientData('webauthn.get', options, wrong)
      const data = authenticatorData(options, wrong, Buffer.alloc(0))
      const key = wrong.foreign === true ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : privateKey
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), key)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          ...(wrong.userHandle !== undefined && { userHandle: wrong.userHandle }),
        },
      }
    },
  }
}
