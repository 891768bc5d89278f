import type { Locale } from '#lib/contract/locales.ts'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { matchLocale } from '#lib/server/merchant/match-locale.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { TextAnswer } from '#lib/server/runtime/http/answer.ts'

/** Text and compression of a language are made once, because anybody may request them without limit. */
const made = new Map<Locale, TextAnswer>()

/** The catalogue of one language, for a switch without a reload. It is public and the same for everybody. */
export const GET = handler('messages', async ({ params }) => {
  const locale = matchLocale([params['locale'] ?? ''])
  const known = made.get(locale)
  if (known !== undefined) return known
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }
  const answer = new TextAnswer(JSON.stringify(await loadCatalogue(locale)), { status: 200, headers })
  made.set(locale, answer)
  return answer
})
export const HEAD = GET
