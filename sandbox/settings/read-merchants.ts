import { z } from 'zod'
import type { MerchantSettings } from '../state/merchants.ts'
import { readGivenFile, readPublicKey } from './read-keys.ts'

const FORM =
  'a JSON array of {id, api_key, public_key, name?, webhook_url?, allow_custom_external_wallet?}, or file:PATH of one'

/** What each field can be. */
const ALLOWED = {
  id: 'a text',
  name: 'a text',
  api_key: 'a text',
  public_key: 'a text',
  allow_custom_external_wallet: 'true or false',
  webhook_url: 'an http or https URL, or null',
} as const

const allowed = (field: keyof typeof ALLOWED) => ({ error: `must be ${ALLOWED[field]}` })

const merchantSchema = z.strictObject({
  id: z.string(allowed('id')).min(1, allowed('id')),
  name: z.string(allowed('name')).optional(),
  api_key: z.string(allowed('api_key')).min(1, allowed('api_key')),
  public_key: z.string(allowed('public_key')).min(1, allowed('public_key')),
  allow_custom_external_wallet: z.boolean(allowed('allow_custom_external_wallet')).default(false),
  webhook_url: z
    .url({ protocol: /^https?$/, ...allowed('webhook_url') })
    .nullable()
    .default(null),
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function entriesOf(given: string): readonly unknown[] {
  const text = given.startsWith('file:') ? readGivenFile(given.slice('file:'.length)) : given
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch (cause) {
    throw new RangeError(`is not JSON: it must be ${FORM}`, { cause })
  }
  if (!Array.isArray(entries) || entries.length === 0) throw new RangeError(`must be ${FORM}, with at least one entry`)
  return entries
}

const list = (words: readonly string[]): string => new Intl.ListFormat('en').format(words)

function readEntry(entry: unknown): MerchantSettings | { readonly faults: readonly string[] } {
  if (!isRecord(entry)) return { faults: ['must be an object'] }
  const read = merchantSchema.safeParse(entry)
  if (!read.success) {
    const unknown = read.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
    const issues = read.error.issues
      .filter(({ code }) => code !== 'unrecognized_keys')
      .map(({ path, message }) => ({ field: String(path[0]), message }))
    const missing = issues.map(({ field }) => field).filter((field) => entry[field] === undefined)
    const others = issues.filter(({ field }) => !missing.includes(field))
    return {
      faults: [
        ...(missing.length > 0 ? [`${list(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`] : []),
        ...others.map(({ field, message }) => `${field} ${message}`),
        ...unknown.map((field) => `${field} is unknown: the fields are ${list(Object.keys(ALLOWED))}`),
      ],
    }
  }
  try {
    const { id, name = id, ...more } = read.data
    return { ...more, id, name, public_key: readPublicKey(more.public_key) }
  } catch (error) {
    return { faults: [`public_key ${error instanceof Error ? error.message : String(error)}`] }
  }
}

export interface ReadMerchants {
  readonly merchants: readonly MerchantSettings[]
  /** Each fault names its entry and fields. */
  readonly faults: readonly string[]
}

/** Fields that must be unique: a call finds its merchant by the key, a control call by the id. */
const UNIQUE = ['id', 'api_key'] as const

/**
 * Several merchants: a JSON array, or `file:PATH`.
 * @throws RangeError if the text is not such an array
 */
export function readMerchants(given: string): ReadMerchants {
  const merchants: MerchantSettings[] = []
  const faults: string[] = []
  for (const [at, entry] of entriesOf(given).entries()) {
    const read = readEntry(entry)
    const shared =
      'faults' in read ? [] : UNIQUE.filter((field) => merchants.some((merchant) => merchant[field] === read[field]))
    if (!('faults' in read)) merchants.push(read)
    const found = 'faults' in read ? read.faults : shared.map((field) => `${field} is already used by an earlier entry`)
    const id = isRecord(entry) && typeof entry['id'] === 'string' && entry['id'] !== '' ? ` (${entry['id']})` : ''
    faults.push(...found.map((fault) => `entry ${String(at + 1)}${id}: ${fault}`))
  }
  return { merchants, faults }
}
