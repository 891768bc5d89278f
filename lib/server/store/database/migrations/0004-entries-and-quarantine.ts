import { sql, type Kysely } from 'kysely'

/** A user's ledger entries are read newest first. A quarantined event that was settled stays for its retention. */
const statements = [
  'create index postings_user on postings (user_reference_id, id)',
  'alter table quarantine add column settled_ms bigint',
  'alter table quarantine add column settled_by text',
  'alter table quarantine add column note text',
  'drop index quarantine_reason',
  'create index quarantine_reason on quarantine (reason, id)',
  'create index quarantine_open on quarantine (id) where settled_ms is null',
  'create index quarantine_open_reason on quarantine (reason, id) where settled_ms is null',
  'create index quarantine_settled on quarantine (settled_ms) where settled_ms is not null',
]

export async function keepSettledQuarantine(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
