/** Fields that several request schemas share. An `error` tells the caller's developer what is allowed. */
import * as z from 'zod/mini'
import { canonicalId } from './canonical-id.ts'
import { isoTime } from './iso-time.ts'
import { decimal } from './money.ts'

export const textField = (max: number, min = 0) => {
  const error = min === 0 ? `must be text of at most ${max} characters` : `must be text of ${min} to ${max} characters`
  return z.string({ error }).check(z.minLength(min, { error }), z.maxLength(max, { error }))
}
/** Any text: a language that nobody knows is no error. No tag in use is half as long. */
export const languageTag = z.pipe(
  z.string({ error: 'must be text' }),
  z.transform((tag) => tag.slice(0, 100)),
)
export const patternField = (allowed: RegExp, error: string) => z.string({ error }).check(z.regex(allowed, { error }))

export const identifierField = textField(100, 1)

/** An id of the gateway, as it is stored. */
export const gatewayIdField = z.pipe(identifierField, z.transform(canonicalId))

/** An integer of a query string, `from` to `to`. */
export const countField = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`
  return z.pipe(
    patternField(/^\d{1,9}$/, error),
    z.pipe(z.transform(Number), z.number().check(z.gte(from, { error }), z.lte(to, { error }))),
  )
}

/** Decimal text for which `isAllowed`, as a `Decimal`. */
export const decimalField = (isAllowed: (given: string) => boolean, error: string) =>
  z.pipe(z.string({ error }).check(z.refine(isAllowed, { error })), z.transform(decimal))

export const userReference = patternField(
  /^[A-Za-z0-9_-]{1,128}$/,
  'must be 1 to 128 letters, digits, hyphens or underscores',
)

const TIME_RULE = 'must be a time such as 2026-11-21T12:00:00Z, or a day such as 2026-11-21, which begins in UTC'

/** Milliseconds since 1970. */
export const timeField = z.pipe(
  z.string({ error: TIME_RULE }),
  z.transform((given: string, context): number => {
    const ms = isoTime(given)
    if (ms !== undefined) return ms
    context.issues.push({ code: 'custom', message: TIME_RULE, input: given })
    return z.NEVER
  }),
)
