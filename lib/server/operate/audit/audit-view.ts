import * as z from 'zod/mini'
import type { AuditEntryView } from '#lib/contract/operate/audit.ts'
import type { ListedAuditRow } from '../../store/types.ts'

const objectSchema = z.record(z.string(), z.unknown())
const readDetail = (json: string | null): Record<string, unknown> =>
  json === null ? {} : objectSchema.parse(JSON.parse(json))

/** An entry with its outcome, as the page and the file have it. */
export function auditEntryOf(row: ListedAuditRow): AuditEntryView {
  const { code } = readDetail(row.ended_detail)
  return {
    seq: row.seq,
    at: new Date(row.at_ms).toISOString(),
    operator: row.operator_name,
    action: row.action,
    about_kind: row.about_kind,
    about_id: row.about_id,
    user_reference_id: row.user_reference_id,
    reason: row.reason,
    detail: readDetail(row.detail),
    outcome: row.ended ?? row.outcome,
    ended_at: row.ended_ms === null ? null : new Date(row.ended_ms).toISOString(),
    code: typeof code === 'string' ? code : null,
    erased: row.salt === null,
    hash: row.hash,
  }
}
