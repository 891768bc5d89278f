import type { Locale } from '#lib/contract/locales.ts'
import { matchLocale } from '#lib/server/merchant/match-locale.ts'
import { handler, type RouteHandler } from '#lib/server/runtime/http/route-handler.ts'
import { TextAnswer } from '#lib/server/runtime/http/answer.ts'

/**
 * Answers with the texts of one language, which are public. Text and compression of a language are made once, because
 * anybody may request them without limit.
 */
export function publicMessages(route: string, load: (locale: Locale) => Promise<object>): RouteHandler {
  const made = new Map<Locale, TextAnswer>()
  return handler(route, async ({ params }) => {
    const locale = matchLocale([params['locale'] ?? ''])
    const known = made.get(locale)
    if (known !== undefined) return known
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }
    const answer = new TextAnswer(JSON.stringify(await load(locale)), { status: 200, headers })
    made.set(locale, answer)
    return answer
  })
}
