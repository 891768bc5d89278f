import { z } from 'zod'
import type { Database } from './database.ts'

const json = z.string().transform((text): unknown => JSON.parse(text))

const rowSchema = z.object({
  id: z.number(),
  target: z.string(),
  kind: z.string(),
  match_json: json.pipe(z.record(z.string(), z.string())),
  settings_json: json.pipe(z.record(z.string(), z.unknown())),
  remaining: z.number().nullable(),
  used: z.number(),
})

/** A fault that was set. `remaining` is null for a fault that always happens. */
export type StoredFault = z.infer<typeof rowSchema>

export interface NewFault {
  readonly target: string
  readonly kind: string
  /** Each named property of the call or event must have this value. */
  readonly match: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, unknown>>
  readonly remaining: number | null
}

export function insertFault(database: Database, made: NewFault): StoredFault {
  const { id } = database.run(
    'INSERT INTO faults (target, kind, match_json, settings_json, remaining) VALUES (?, ?, ?, ?, ?)',
    made.target,
    made.kind,
    JSON.stringify(made.match),
    JSON.stringify(made.settings),
    made.remaining,
  )
  return rowSchema.parse(database.one('SELECT * FROM faults WHERE id = ?', id))
}

export const listFaults = (database: Database): readonly StoredFault[] =>
  database.all('SELECT * FROM faults ORDER BY id').map((row) => rowSchema.parse(row))

export const removeFault = (database: Database, id: number): boolean =>
  database.run('DELETE FROM faults WHERE id = ?', id).changes === 1

export const removeFaults = (database: Database): number => database.run('DELETE FROM faults').changes

/** Uses the oldest matching fault once. Used-up faults stay in the list with `remaining` 0. */
export function takeFault(
  database: Database,
  target: string,
  about: Readonly<Record<string, string | null>>,
): StoredFault | null {
  const candidates = database
    .all(
      `SELECT * FROM faults WHERE (target = ?1 OR (target = '*' AND ?1 <> 'webhooks')) AND (remaining IS NULL OR remaining > 0) ORDER BY id`,
      target,
    )
    .map((row) => rowSchema.parse(row))
  const fault = candidates.find(({ match_json }) =>
    Object.entries(match_json).every(([name, value]) => about[name] === value),
  )
  if (!fault) return null
  database.run('UPDATE faults SET used = used + 1, remaining = remaining - 1 WHERE id = ?', fault.id)
  return fault
}
