import * as z from 'zod/mini'
import { Problem } from '#lib/contract/problems.ts'
import { fieldErrors, ownWords } from './field-errors.ts'
import type { InboundRequest } from './inbound-request.ts'
import type { LimitName, RateLimits } from './rate-limits.ts'

const MAX_BODY_BYTES = 16 * 1024

const badBody = (detail: string, rule: string): Problem =>
  new Problem('invalid_request', detail, { errors: { body: [rule] } })

/** True for this media type, alone or with the charset UTF-8. */
function hasType({ headers }: InboundRequest, wanted: string): boolean {
  const [type, charset, ...more] = (headers.get('content-type') ?? '').toLowerCase().split(';')
  const isUtf8 = charset === undefined || /^charset\s*=\s*(?:utf-8|"utf-8")$/.test(charset.trim())
  return type?.trim() === wanted && isUtf8 && more.length === 0
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function readText(request: InboundRequest, limit = MAX_BODY_BYTES): Promise<string> {
  const bytes = await request.bytes(limit)
  try {
    return UTF8.decode(bytes)
  } catch {
    throw badBody('The body is not UTF-8.', 'must be UTF-8')
  }
}

const mediaType = (allowed: string): Problem => new Problem('unsupported_media_type', `Send the body as ${allowed}.`)

/** Parses with a schema. @throws Problem `invalid_request` with every fault by its field */
export function parseInput<T extends z.core.$ZodType>(schema: T, value: unknown): z.core.output<T> {
  const parsed = z.safeParse(schema, value, { error: ownWords })
  if (parsed.success) return parsed.data
  const errors = fieldErrors(parsed.error)
  throw new Problem('invalid_request', `Not valid: ${Object.keys(errors).join(', ')}.`, { errors })
}

const NUL = '\0'

/** The deepest allowed nesting: more would overflow the stack of the code that reads the value. */
const MAX_DEPTH = 64

/**
 * Refuses a NUL in any text, since PostgreSQL cannot store it, and nesting deeper than `MAX_DEPTH`.
 * @throws Problem `invalid_request`, for a NUL with its field
 */
function refuseUnfit(value: unknown, path: readonly string[] = []): void {
  if (typeof value === 'string' && value.includes(NUL)) {
    const field = path.join('.') || 'body'
    throw new Problem('invalid_request', `Not valid: ${field}.`, { errors: { [field]: ['must not contain NUL'] } })
  }
  if (typeof value !== 'object' || value === null) return
  if (path.length >= MAX_DEPTH)
    throw badBody('The body is nested too deeply.', `must be nested at most ${MAX_DEPTH} levels deep`)
  for (const [name, member] of Object.entries(value)) {
    if (name.includes(NUL)) refuseUnfit(name, path)
    refuseUnfit(member, [...path, name])
  }
}

/**
 * A JSON body of at most `limit` bytes, 16 KiB by default, read with `schema`.
 * @throws Problem `unsupported_media_type`, `payload_too_large`, `invalid_request`
 */
export async function readJson<T extends z.core.$ZodType>(
  request: InboundRequest,
  schema: T,
  limit?: number,
): Promise<z.core.output<T>> {
  if (!hasType(request, 'application/json')) throw mediaType('application/json')
  const text = await readText(request, limit)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw badBody('The body is not JSON.', 'must be JSON')
  }
  refuseUnfit(value)
  return parseInput(schema, value)
}

/** The fields of a form of at most 16 KiB. @throws Problem as `readJson` does */
export async function readForm(request: InboundRequest): Promise<URLSearchParams> {
  if (!hasType(request, 'application/x-www-form-urlencoded')) throw mediaType('a form')
  return new URLSearchParams(await readText(request))
}

export interface LimitedBy {
  readonly rateLimits: RateLimits
  /** The user for whom the call counts. */
  readonly user: string
  readonly limit: LimitName
}

/**
 * Reads a JSON body that counts towards a limit once it is valid. An invalid body counts as a call.
 * @throws Problem as `readJson` does, and `rate_limited`
 */
export async function readLimited<T extends z.core.$ZodType>(
  request: InboundRequest,
  schema: T,
  { rateLimits, user, limit }: LimitedBy,
): Promise<z.core.output<T>> {
  const input = await readJson(request, schema).catch(async (error: unknown) => {
    await rateLimits.take('calls', user)
    throw error
  })
  await rateLimits.take(limit, user)
  return input
}
