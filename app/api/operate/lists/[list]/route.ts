import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { readListName, readListQuery } from '#lib/server/runtime/http/list-query.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.list', { role: 'viewer' }, async ({ app, url, params, operator }) => {
  const list = readListName(params['list'])
  const query = readListQuery(list, url.searchParams)
  // Its further pages are no further look.
  if (query.user !== undefined && query.cursor === null) {
    const about = { kind: 'list', id: list, user_reference_id: query.user }
    await app.console.recordAudit({ operator, action: 'list.open', about })
  }
  return jsonAnswer(200, await app.console.readList(list, query))
})
