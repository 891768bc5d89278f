/**
 * The entries of the audit log as a chain: the hash of an entry covers its fields and the hash of the entry before. What
 * may have to be erased is covered by a salted digest, so that the chain holds when it is gone. Pure.
 */
import { createHash } from 'node:crypto'
import type { AuditEntriesTable } from '../database/schema.ts'

export type AuditRow = AuditEntriesTable

/** What an act or a look at a person's data was about. */
export interface AuditSubject {
  /** Such as `withdrawal`, `payout`, `quarantine`, `user`, `operator`, `key`. */
  readonly kind: string
  readonly id: string
  /** The user whom it concerns. */
  readonly user_reference_id?: string | null
}

export interface NewAuditEntry {
  /** Null: a command on the machine, or an invitation that nobody has accepted yet. */
  readonly operator: { readonly id: string; readonly name: string } | null
  /** Such as `withdrawal.approve`, with a verb at the end. */
  readonly action: string
  readonly about?: AuditSubject | null
  readonly reason?: string | null
  /** A user is named here as `user_reference_id`, `user` or, in a search, `q`, so that an erasure finds it. */
  readonly detail?: Readonly<Record<string, unknown>>
  /** `done` by default. */
  readonly outcome?: AuditOutcome
  /** For the outcome of an act that has begun: the number of its first entry. */
  readonly begun_seq?: number
}

/** `begun`: the act has another entry with its outcome, unless the process died in between. */
export type AuditOutcome = 'begun' | 'done' | 'refused' | 'failed'

/** The end of the chain, kept apart from it. */
export interface AuditHead {
  /** How many entries there are, which is also the number of the last. */
  readonly entries: number
  /** The hash of the last; empty if there is none. */
  readonly hash: string
  /** When the last was added. */
  readonly at_ms: number
}

/** Names, in its detail, the entries that were blanked with it. */
export const ERASURE_ACTION = 'user.erased'

/** Who acts without an operator: a command on the machine. */
const COMMAND = 'command'

/** Rows that stay when their user is erased, under a random name: their ids say nothing of the user. */
const LASTING_KINDS: ReadonlySet<string | null> = new Set([
  'withdrawal',
  'payout',
  'transaction',
  'quarantine',
  'delivery',
  'proposal',
  'operator',
  'key',
])

const sha256 = (fields: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(fields)).digest('hex')

type Personal = Pick<AuditRow, 'salt' | 'user_reference_id' | 'about_kind' | 'about_id' | 'reason' | 'detail'>

/** An id of a row that stays is part of the entry's hash, any other of the personal digest. */
const lastingId = ({ about_kind, about_id }: Personal): string | null =>
  LASTING_KINDS.has(about_kind) ? about_id : null

/** The digest of what may be erased. */
export const personalDigest = (row: Personal): string =>
  sha256([
    row.salt,
    row.user_reference_id,
    LASTING_KINDS.has(row.about_kind) ? null : row.about_id,
    row.reason,
    row.detail,
  ])

/** The entry without what belongs to a person. */
export const erasedEntry = (row: Personal): Personal => ({
  salt: null,
  user_reference_id: null,
  about_kind: row.about_kind,
  about_id: lastingId(row),
  reason: null,
  detail: null,
})

/** Hexadecimal SHA-256 of the canonical text: a JSON array with the name of this form first. */
export const auditHash = (row: Omit<AuditRow, 'hash'>): string =>
  sha256([
    'audit-1',
    row.seq,
    row.at_ms,
    row.operator_id,
    row.operator_name,
    row.action,
    row.about_kind,
    lastingId(row),
    row.outcome,
    row.begun_seq,
    row.personal_digest,
    row.previous_hash,
  ])

/**
 * The row after `head`. Its time is not before the last one's, whose instance may have had another clock.
 * @param now milliseconds since 1970
 * @param salt random, of this entry alone
 */
export function nextAuditRow(head: AuditHead, entry: NewAuditEntry, now: number, salt: string): AuditRow {
  const personal = {
    salt,
    about_kind: entry.about?.kind ?? null,
    about_id: entry.about?.id ?? null,
    user_reference_id: entry.about?.user_reference_id ?? null,
    reason: entry.reason ?? null,
    detail: JSON.stringify(entry.detail ?? {}),
  }
  const row = {
    ...personal,
    seq: head.entries + 1,
    at_ms: Math.max(now, head.at_ms),
    operator_id: entry.operator?.id ?? null,
    operator_name: entry.operator?.name ?? COMMAND,
    action: entry.action,
    outcome: entry.outcome ?? 'done',
    begun_seq: entry.begun_seq ?? null,
    personal_digest: personalDigest(personal),
    previous_hash: head.hash,
  }
  return { ...row, hash: auditHash(row) }
}
