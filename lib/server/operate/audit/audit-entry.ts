/** Entries of the audit log: what is stored of an act, and the hash that chains it to the entry before. */
import { createHash } from 'node:crypto'
import type { AuditRow } from '../../store/types.ts'

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
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Who acts without an operator: a command on the machine. */
const COMMAND = 'command'

/** The hash of an entry covers all its fields, and the hash of the entry before. Hexadecimal SHA-256. */
export function auditHash(row: Omit<AuditRow, 'hash'>): string {
  const fields = [
    row.seq,
    row.at_ms,
    row.operator_id,
    row.operator_name,
    row.action,
    row.about_kind,
    row.about_id,
    row.user_reference_id,
    row.reason,
    row.detail,
    row.previous_hash,
  ]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

/** The row after `last`. @param now milliseconds since 1970 */
export function nextAuditRow(last: Pick<AuditRow, 'seq' | 'hash'> | null, entry: NewAuditEntry, now: number): AuditRow {
  const row = {
    seq: (last?.seq ?? 0) + 1,
    at_ms: now,
    operator_id: entry.operator?.id ?? null,
    operator_name: entry.operator?.name ?? COMMAND,
    action: entry.action,
    about_kind: entry.about?.kind ?? null,
    about_id: entry.about?.id ?? null,
    user_reference_id: entry.about?.user_reference_id ?? null,
    reason: entry.reason ?? null,
    detail: JSON.stringify(entry.detail ?? {}),
    previous_hash: last?.hash ?? '',
  }
  return { ...row, hash: auditHash(row) }
}
