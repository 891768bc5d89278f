import { csvAnswer } from '#lib/server/runtime/http/file-answer.ts'
import { readListName, readListQuery } from '#lib/server/runtime/http/list-query.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler(
  'operate.listFile',
  { role: 'viewer' },
  async ({ app, url, params, operator, requestId }) => {
    const list = readListName(params['list'])
    const query = readListQuery(list, url.searchParams)
    const about = { kind: 'list', id: list, user_reference_id: query.user ?? null }
    const detail = { query: url.searchParams.toString() }
    await app.console.recordAudit({ operator, action: 'list.export', about, detail })
    return csvAnswer({
      name: `${list}.csv`,
      lines: app.console.listFile(list, query),
      onError: (error) => void app.problemOf(error, requestId, 'operate.listFile'),
    })
  },
)
