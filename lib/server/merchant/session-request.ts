import { z } from 'zod'
import { COUNTRIES } from '#lib/contract/countries.ts'
import { FLOWS, THEMES } from '#lib/contract/cashier.ts'
import { readThemeTokens, type ThemeTokens } from '#lib/contract/read-theme-tokens.ts'
import { matchLocale } from './match-locale.ts'

const MAX_URL = 2048

const webAddress = (text: string): URL | null => {
  if (text.length > MAX_URL || !URL.canParse(text)) return null
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : null
}

const tokens = z.unknown().transform((value, context): ThemeTokens => {
  const read = readThemeTokens(value)
  if (read.ok) return read.tokens
  for (const fault of read.faults) context.addIssue(fault)
  return z.NEVER
})

/** Backends often write null for what they do not say. */
const withoutNulls = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body

export const userReference = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, { error: 'must be 1 to 128 letters, digits, hyphens or underscores' })

/**
 * The body of `POST /api/merchant/sessions`. An unknown field is a fault: a misspelled `flows` would grant them all.
 * @param embedOrigins where a `return_url` may lead
 */
export const sessionRequest = (embedOrigins: readonly string[]) =>
  z.preprocess(
    withoutNulls,
    z.strictObject({
      user_reference_id: userReference,
      flows: z
        .array(z.enum(FLOWS))
        .min(1, { error: 'must name at least one flow' })
        .transform((flows) => FLOWS.filter((flow) => flows.includes(flow)))
        .optional(),
      locale: z
        .string()
        .max(100)
        .transform((tag) => matchLocale([tag]))
        .optional(),
      theme: z.enum(THEMES).optional(),
      tokens: tokens.optional(),
      support_url: z
        .string()
        .refine((text) => webAddress(text)?.protocol === 'https:', { error: 'must be an https address' })
        .transform((text) => new URL(text).href)
        .optional(),
      country: z
        .string()
        .refine((code) => COUNTRIES.includes(code), { error: 'must be an ISO 3166-1 alpha-2 code, such as DE' })
        .optional(),
      currency_ids: z
        .array(z.guid({ error: 'must be UUIDs' }))
        .min(1, { error: 'must name at least one currency' })
        .max(1000)
        .transform((ids) => [...new Set(ids)])
        .optional(),
      return_url: z
        .string()
        .refine(
          (text) => {
            const url = webAddress(text)
            return url !== null && embedOrigins.includes(url.origin)
          },
          { error: 'must be an http or https address whose origin is one of EMBED_ORIGINS' },
        )
        .transform((text) => new URL(text).href)
        .optional(),
    }),
  )

export type SessionRequest = z.output<ReturnType<typeof sessionRequest>>
