import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { matchLocale } from '#lib/server/merchant/match-locale.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { TextResponse } from '#lib/server/runtime/http/text-response.ts'

/** One language as the page takes it, for a switch without a reload. No secret, the same for everybody. */
export const GET = handler('messages', async ({ params }) => {
  const catalogue = await loadCatalogue(matchLocale([params['locale'] ?? '']))
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }
  return new TextResponse(JSON.stringify(catalogue), { status: 200, headers })
})
export const HEAD = GET
