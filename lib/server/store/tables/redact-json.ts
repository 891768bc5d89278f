import * as z from 'zod/mini'

const objectSchema = z.record(z.string(), z.unknown())

/** Reads a JSON column that holds an object. @throws SyntaxError or `z.core.$ZodError` if it holds something else. */
export const readObject = (json: string): Record<string, unknown> => objectSchema.parse(JSON.parse(json))

/** Personal fields of a fact or an event. Status, amounts and currency stay, since the ledger needs them. */
const PERSONAL_FIELDS = [
  'to_address',
  'from_address',
  'tx_hash',
  'provider_transaction_id',
  'payment_method',
  'correlation_key',
  'session_reference',
  'metadata',
  'merchant_reference',
]

/** The JSON object with the pseudonym in place of the user, and without personal fields. */
export function redact(json: string, pseudonym: string, more: object = {}): string {
  const content = readObject(json)
  for (const name of PERSONAL_FIELDS) if (name in content) content[name] = null
  if (content['user_reference_id'] !== null) content['user_reference_id'] = pseudonym
  return JSON.stringify({ ...content, ...more })
}
