import type { z } from 'zod'
import { Problem } from '#lib/contract/problems.ts'

const MAX_BODY_BYTES = 16 * 1024

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

const tooLarge = (limit: number): Problem =>
  new Problem('payload_too_large', `A body of at most ${limit / 1024} KiB is taken.`)

/** The body's text; refuses what is too large before it is read to its end, and what is not UTF-8. */
async function bodyText(request: Request, limit: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  if (request.body === null) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body as ReadableStream<Uint8Array>) {
      size += chunk.byteLength
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('invalid_request', 'The body was cut off.', { cause: error })
  }
  try {
    return decoder.decode(Buffer.concat(chunks))
  } catch {
    throw new Problem('invalid_request', 'The body is not UTF-8.')
  }
}

const mediaType = (allowed: string): Problem => new Problem('unsupported_media_type', `Send the body as ${allowed}.`)

/** What is wrong, by field; `body` stands for the whole. */
function fieldErrors(error: z.ZodError): Readonly<Record<string, readonly string[]>> {
  const fields: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.map(String).join('.') || 'body']
    const message = issue.code === 'unrecognized_keys' ? 'is no field of this request' : issue.message
    for (const name of names) (fields[name] ??= []).push(message)
  }
  return fields
}

/** Reads with a schema; throws `invalid_request` with every fault by its field. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = fieldErrors(parsed.error)
  throw new Problem('invalid_request', `Not valid: ${Object.keys(errors).join(', ')}.`, { errors })
}

/** A JSON body of at most 16 KiB, read by `schema`. */
export async function readJson<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) throw mediaType('application/json')
  const text = await bodyText(request, MAX_BODY_BYTES)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('invalid_request', 'The body is not JSON.')
  }
  return parseInput(schema, value)
}

/** A form's fields, of at most 16 KiB. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(request.headers.get('content-type') ?? '')) throw mediaType('a form')
  return new URLSearchParams(await bodyText(request, MAX_BODY_BYTES))
}
