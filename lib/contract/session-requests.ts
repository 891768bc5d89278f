/** What a merchant's backend starts a session with. */
import * as z from 'zod/mini'
import { FLOWS, THEMES } from './cashier.ts'
import { canonicalId } from './canonical-id.ts'
import { COUNTRIES } from './countries.ts'
import { plainTextField } from './plain-text.ts'
import { readThemeTokens, type ThemeTokens } from './read-theme-tokens.ts'
import { languageTag, userReference } from './request-fields.ts'

const MAX_URL = 2048

const webAddress = (given: string): URL | null => {
  if (given.length > MAX_URL || !URL.canParse(given)) return null
  const url = new URL(given)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : null
}

const MOST_LABEL_CHARACTERS = 60

const MOST_METADATA_BYTES = 2048

/** An object that is small enough as JSON. The merchant decides its content. */
const isMetadata = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  new TextEncoder().encode(JSON.stringify(value)).length <= MOST_METADATA_BYTES

const url = (isAllowed: (address: URL) => boolean, error: string) =>
  z.pipe(
    z.string({ error }).check(
      z.refine(
        (given) => {
          const address = webAddress(given)
          return address !== null && isAllowed(address)
        },
        { error },
      ),
    ),
    z.transform((given: string) => new URL(given).href),
  )

const themeTokens = z.pipe(
  z.unknown(),
  z.transform((value, context): ThemeTokens => {
    const read = readThemeTokens(value)
    if (read.ok) return read.tokens
    for (const message of read.faults) context.issues.push({ code: 'custom', message, input: value })
    return z.NEVER
  }),
)

/** Many backends write null for a missing field. */
const withoutNulls = z.transform((body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body,
)

/**
 * `POST /api/merchant/sessions`. An unknown field is an error: a misspelled `flows` would grant all of them.
 * @param embedOrigins the origins that a `return_url` may have
 */
export const createSessionRequest = (embedOrigins: readonly string[]) =>
  z.pipe(
    withoutNulls,
    z.strictObject({
      user_reference_id: userReference,
      flows: z.optional(
        z.pipe(
          z
            .array(z.enum(FLOWS, { error: `must be one of ${FLOWS.join(', ')}` }))
            .check(z.minLength(1, { error: 'must name at least one flow' })),
          z.transform((flows) => [...new Set(flows)]),
        ),
      ),
      locale: z.optional(languageTag),
      theme: z.optional(z.enum(THEMES, { error: `must be one of ${THEMES.join(', ')}` })),
      tokens: z.optional(themeTokens),
      support_url: z.optional(url(({ protocol }) => protocol === 'https:', 'must be an https address')),
      country: z.optional(
        z
          .string()
          .check(
            z.refine((code) => COUNTRIES.includes(code), { error: 'must be an ISO 3166-1 alpha-2 code, such as DE' }),
          ),
      ),
      currency_ids: z.optional(
        z.pipe(
          z
            .array(z.guid({ error: 'must be a UUID' }))
            .check(
              z.minLength(1, { error: 'must name at least one currency' }),
              z.maxLength(1000, { error: 'must name at most 1000 currencies' }),
            ),
          z.transform((ids) => [...new Set(ids.map(canonicalId))]),
        ),
      ),
      return_url: z.optional(
        url(
          ({ origin }) => embedOrigins.includes(origin),
          'must be an http or https address whose origin is one of EMBED_ORIGINS',
        ),
      ),
      account_label: z.optional(plainTextField(MOST_LABEL_CHARACTERS)),
      merchant_name: z.optional(plainTextField(MOST_LABEL_CHARACTERS)),
      metadata: z.optional(
        z.custom<Readonly<Record<string, unknown>>>(isMetadata, {
          error: 'must be an object of at most 2048 bytes as JSON',
        }),
      ),
      own_wallet: z.optional(z.boolean({ error: 'must be true or false' })),
    }),
  )
export type CreateSessionRequest = z.output<ReturnType<typeof createSessionRequest>>
