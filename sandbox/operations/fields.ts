import { z } from 'zod'
import { isAboveZero, isPlainDecimal } from '../money/decimal.ts'

/** Spec, Errors: the message of a field is that it is missing, or what it must be. */
const expected =
  (what: string) =>
  (issue: { readonly input?: unknown }): string =>
    issue.input === undefined || issue.input === null ? 'is required' : `must be ${what}`

const LONGEST_TEXT = 255

export const text = z
  .string({ error: expected('a string') })
  .min(1, 'is required')
  .max(LONGEST_TEXT, `is longer than ${String(LONGEST_TEXT)} characters`)

export const uuid = z.string({ error: expected('a string') }).check(z.uuid('is not a UUID'))

export const userReference = text.regex(/^[A-Za-z0-9_-]+$/, 'may hold only letters, digits, hyphens and underscores')

export const amount = z
  .string({ error: expected('a string') })
  .refine(isPlainDecimal, { error: 'is not a decimal', abort: true })
  .refine(isAboveZero, 'must be above zero')
  .describe('a decimal text above zero')

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: expected(`one of ${values.join(', ')}`) })

export const count = z.int({ error: expected('an integer') }).min(1, 'must be at least 1')

export const webAddress = z
  .string({ error: expected('a string') })
  .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), 'must start with http:// or https://')
  .describe('an http or https URL')

/** Removes fields that are null: null means the same as left out. */
export function withoutNulls(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
