import type pg from 'pg'

/** A row that a webhook wrote, for a table without indexes like the webhook's. */
export interface WrittenRow {
  readonly table: string
  readonly json: string
  /** Stands in `json` where each copy needs its own. */
  readonly uuid: string
}

const SCHEMA = 'bare'

/** The rows about a user or a transaction that were written from `xid` on. Makes a table like each row's table. */
export async function writtenRows(
  client: pg.Client,
  since: { readonly xid: string; readonly user: string; readonly uuid: string },
): Promise<readonly WrittenRow[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'`,
  )
  await client.query(`create schema if not exists ${SCHEMA}`)
  const written: WrittenRow[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ json: string }>(
      `select to_jsonb(t)::text as json from public.${name} t
       where xmin::text::bigint >= $1 and (to_jsonb(t)::text like $2 or to_jsonb(t)::text like $3)`,
      [since.xid, `%${since.user}%`, `%${since.uuid}%`],
    )
    const table = `${SCHEMA}.${name}`
    if (rows.length > 0) await client.query(`create table ${table} (like public.${name})`)
    written.push(...rows.map(({ json }) => ({ table, json, uuid: since.uuid })))
  }
  return written
}
