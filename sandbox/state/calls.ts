import { z } from 'zod'
import type { Database } from './database.ts'

const flag = z.number().transform((value) => value === 1)

/** One request that reached a gateway operation. `response_status` is null while it runs and when it was cut. */
export const callSchema = z.object({
  id: z.number(),
  at: z.number(),
  merchant_id: z.string().nullable(),
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  nonce: z.string().nullable(),
  body: z.string(),
  user_reference: z.string().nullable(),
  authentic: z.boolean(),
  committed: z.boolean(),
  fault: z.string().nullable(),
  transaction_uuid: z.string().nullable(),
  response_status: z.number().nullable(),
  took_ms: z.number().nullable(),
})
const rowSchema = callSchema.extend({ authentic: flag, committed: flag })

export type Call = z.infer<typeof callSchema>

export type Arrival = Pick<Call, 'at' | 'operation' | 'method' | 'path' | 'query' | 'nonce' | 'body'>
export type CallUpdate = Partial<
  Pick<
    Call,
    | 'merchant_id'
    | 'user_reference'
    | 'authentic'
    | 'committed'
    | 'fault'
    | 'transaction_uuid'
    | 'response_status'
    | 'took_ms'
  >
>

/** Older rows are deleted. */
const MAX_CALLS = 100_000

export function beginCall(database: Database, call: Arrival): number {
  const { id } = database.run(
    'INSERT INTO calls (at, operation, method, path, query, nonce, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
    call.at,
    call.operation,
    call.method,
    call.path,
    call.query,
    call.nonce,
    call.body,
  )
  if (id % 1000 === 0) database.run('DELETE FROM calls WHERE id <= ?', id - MAX_CALLS)
  return id
}

/** Sets the given fields of a call; the others stay. */
export function updateCall(database: Database, id: number, note: CallUpdate): void {
  database.run(
    `UPDATE calls SET merchant_id = coalesce(?, merchant_id), user_reference = coalesce(?, user_reference),
       authentic = coalesce(?, authentic), committed = coalesce(?, committed), fault = coalesce(?, fault),
       transaction_uuid = coalesce(?, transaction_uuid), response_status = coalesce(?, response_status), took_ms = coalesce(?, took_ms)
     WHERE id = ?`,
    note.merchant_id ?? null,
    note.user_reference ?? null,
    note.authentic === undefined ? null : Number(note.authentic),
    note.committed === undefined ? null : Number(note.committed),
    note.fault ?? null,
    note.transaction_uuid ?? null,
    note.response_status ?? null,
    note.took_ms ?? null,
    id,
  )
}

export interface CallSearch {
  readonly operation: string | null
  readonly userReference: string | null
  readonly after: number
  readonly limit: number
}

/** Oldest first, after a call's id. */
export function searchCalls(database: Database, search: CallSearch): readonly Call[] {
  return database
    .all(
      `SELECT * FROM calls WHERE id > ?1 AND (?2 IS NULL OR operation = ?2) AND (?3 IS NULL OR user_reference = ?3)
         ORDER BY id LIMIT ?4`,
      search.after,
      search.operation,
      search.userReference,
      search.limit,
    )
    .map((row) => rowSchema.parse(row))
}

/** Newest first, for the control page. */
export const latestCalls = (database: Database, userReference: string | null, limit: number): readonly Call[] =>
  database
    .all(
      'SELECT * FROM calls WHERE (?1 IS NULL OR user_reference = ?1) ORDER BY id DESC LIMIT ?2',
      userReference,
      limit,
    )
    .map((row) => rowSchema.parse(row))
