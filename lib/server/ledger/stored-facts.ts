/** How the facts of a transaction are stored: as one text, in the transaction's row. */
import * as z from 'zod/mini'
import { parseFact, type Fact, type RecordedFact } from './facts.ts'
import type { TransactionRow } from './rows.ts'

/** The fields that a fact has in common with its transaction's row: what is equal there is stored once, in the row. */
const SHARED = [
  'user_reference_id',
  'currency_id',
  'currency_code',
  'network',
  'amount',
  'amount_usd',
  'to_address',
  'from_address',
  'tx_hash',
  'payment_method',
  'provider_transaction_id',
  'from_amount',
  'from_currency',
  'correlation_key',
  'session_reference',
  'occurred_at',
] as const satisfies readonly (keyof Fact & keyof TransactionRow)[]

/** The columns of the row that its facts refer to. */
export type SharedColumns = Pick<TransactionRow, (typeof SHARED)[number]>

/** Stands for the row of facts that have no transaction yet. */
const NO_ROW: Readonly<Partial<SharedColumns>> = Object.fromEntries(SHARED.map((name) => [name, null]))

const valuesOf = (row: SharedColumns): Readonly<Record<string, unknown>> =>
  Object.fromEntries(SHARED.map((name) => [name, row[name]]))

function stored({ fact, recorded_ms }: RecordedFact, row: Readonly<Partial<SharedColumns>>): object {
  const { kind: _kind, transaction_uuid: _uuid, status, source, ...rest } = fact
  const content: Record<string, unknown> = rest
  // `JSON.stringify` leaves out what is undefined.
  for (const name of SHARED) if (content[name] === row[name]) content[name] = undefined
  return { status, source, recorded_ms, ...content }
}

/**
 * The facts as a JSON array: each has its status and source first, and no field that the row has with the same value.
 * @param row null if the transaction has no row yet
 */
export function factsText(facts: readonly RecordedFact[], row: SharedColumns | null): string {
  return JSON.stringify(facts.map((fact) => stored(fact, row ?? NO_ROW)))
}

/** Where a text of `factsText` has a success of the list, as a pattern for SQL's `like`. */
export const LISTED_SUCCESS = '%"status":"succeeded","source":"reconciliation"%'

const textSchema = z.array(z.looseObject({ recorded_ms: z.number() }))

/**
 * Reads a text of `factsText`.
 * @throws SyntaxError or `z.core.$ZodError` if it is something else
 */
export function parseFacts(
  { kind, transaction_uuid }: Pick<Fact, 'kind' | 'transaction_uuid'>,
  text: string,
  row: SharedColumns | null,
): readonly RecordedFact[] {
  if (text === '[]') return []
  const values = row === null ? NO_ROW : valuesOf(row)
  return textSchema.parse(JSON.parse(text)).map(({ recorded_ms, ...content }) => ({
    fact: parseFact({ ...values, ...content, kind, transaction_uuid }),
    recorded_ms,
  }))
}
