import { AUDIT_FILTERS, auditQuery } from '#lib/contract/operate/audit.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { merchantValues } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'

export const GET = operatorHandler('operate.audit', { role: 'viewer' }, async ({ app, url }) => {
  const query = parseInput(auditQuery, merchantValues(url.searchParams, [...AUDIT_FILTERS, 'before', 'limit']))
  return jsonAnswer(200, await app.console.audit.list(query))
})
