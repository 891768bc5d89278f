import { searchQuery } from '#lib/contract/operate/search.ts'
import { jsonAnswer } from '#lib/server/runtime/http/answer.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'
import { merchantValues } from '#lib/server/runtime/http/query.ts'
import { parseInput } from '#lib/server/runtime/http/request-body.ts'

const query = (url: URL) => parseInput(searchQuery, merchantValues(url.searchParams, ['q']))

export const GET = operatorHandler(
  'operate.search',
  { role: 'viewer', audit: { action: 'search', about: ({ url }) => ({ kind: 'search', id: query(url).q }) } },
  async ({ app, url }) => jsonAnswer(200, await app.console.search(query(url))),
)
