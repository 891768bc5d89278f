import { AUDIT_FILTERS, auditFileQuery } from '#lib/contract/operate/audit.ts'
import { csvAnswer } from '#lib/server/runtime/http/file-answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { merchantValues } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'

/** The list as a file of any length. */
export const GET = operatorHandler(
  'operate.auditFile',
  { role: 'viewer' },
  async ({ app, operator, url, requestId }) => {
    const query = parseInput(auditFileQuery, merchantValues(url.searchParams, AUDIT_FILTERS))
    const { about, ...others } = query
    await app.console.recordAudit({
      operator,
      action: 'audit.export',
      about: about === undefined ? null : { kind: 'search', id: about },
      detail: others,
    })
    return csvAnswer({
      name: 'audit.csv',
      lines: app.console.audit.file(query),
      onError: (error) => void app.problemOf(error, requestId, 'operate.auditFile'),
    })
  },
)
