import { csvLine } from '#lib/contract/csv.ts'
import type { AuditEntryView, AuditFileQuery, AuditNames, AuditPage, AuditQuery } from '#lib/contract/operate/audit.ts'
import type { AuditFilter, Store } from '../../store/types.ts'
import { auditEntryOf } from './audit-view.ts'

const FILE_PAGE = 500

const filterOf = ({ operator, action, about, from, to }: AuditFileQuery): AuditFilter => ({
  ...(operator !== undefined && { operator }),
  ...(action !== undefined && { action }),
  ...(about !== undefined && { about }),
  ...(from !== undefined && { from_ms: from }),
  ...(to !== undefined && { to_ms: to }),
})

const COLUMNS = [
  ...(['seq', 'at', 'operator', 'action', 'about_kind', 'about_id', 'user_reference_id', 'reason'] as const),
  ...(['outcome', 'ended_at', 'code', 'detail', 'hash'] as const),
] as const

const cellOf = (entry: AuditEntryView, column: (typeof COLUMNS)[number]): string => {
  const value = entry[column]
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The audit log as a list, and as a file. */
export function createReadAudit(store: Pick<Store, 'audit'>) {
  const linesOf = async function* (filter: AuditFilter): AsyncGenerator<string> {
    yield csvLine(COLUMNS)
    for (let before: number | null = null; ;) {
      const rows = await store.audit.page(before, FILE_PAGE, filter)
      yield rows
        .map(auditEntryOf)
        .map((entry) => csvLine(COLUMNS.map((column) => cellOf(entry, column))))
        .join('')
      before = rows.at(-1)?.seq ?? null
      if (before === null || rows.length < FILE_PAGE) return
    }
  }
  return {
    /** Newest first. */
    async list({ before, limit, ...query }: AuditQuery): Promise<AuditPage> {
      const rows = await store.audit.page(before ?? null, limit + 1, filterOf(query))
      const entries = rows.slice(0, limit).map(auditEntryOf)
      return { entries, next: rows.length > limit ? String(entries.at(-1)?.seq ?? '') : null }
    },

    /** The same as CSV of any length, in pieces. */
    file: (query: AuditFileQuery): AsyncIterable<string> => linesOf(filterOf(query)),

    async names(): Promise<AuditNames> {
      const { operators, actions } = await store.audit.names()
      return { operators: [...operators], actions: [...actions] }
    },
  }
}
