/** The keys of the merchant API, as admins of the console see them. */
import * as z from 'zod/mini'
import { MERCHANT_SCOPES } from '../merchant-scopes.ts'
import { patternField, textField } from '../request-fields.ts'

const scope = z.enum(MERCHANT_SCOPES, { error: `must be one of ${MERCHANT_SCOPES.join(', ')}` })

export const merchantKeyView = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scope),
  /** The first characters of the key. */
  shown: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  /** Exact to a minute; null: never. */
  last_used_at: z.nullable(z.string()),
  revoked_at: z.nullable(z.string()),
  revoked_by: z.nullable(z.string()),
})
export type MerchantKeyView = z.output<typeof merchantKeyView>

/** Newest first. */
export const merchantKeysReply = z.object({ keys: z.array(merchantKeyView) })
export type MerchantKeysReply = z.output<typeof merchantKeysReply>

export const newMerchantKeyRequest = z.object({
  name: patternField(
    /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$/,
    'must be 1 to 60 letters, digits, spaces, dots, hyphens or underscores, and begin with a letter or digit',
  ),
  scopes: z.pipe(
    z.array(scope).check(z.minLength(1, { error: 'must name at least one scope' })),
    z.transform((scopes) => MERCHANT_SCOPES.filter((one) => scopes.includes(one))),
  ),
})
export type NewMerchantKeyRequest = z.output<typeof newMerchantKeyRequest>

/** The only answer that has the key itself. */
export const madeMerchantKey = z.object({ key: z.string(), item: merchantKeyView })
export type MadeMerchantKey = z.output<typeof madeMerchantKey>

/** `name` must be the key's, so that a slip does not revoke another. */
export const revokeMerchantKeyRequest = z.object({ name: textField(60, 1), reason: z.optional(textField(500)) })
export type RevokeMerchantKeyRequest = z.output<typeof revokeMerchantKeyRequest>
