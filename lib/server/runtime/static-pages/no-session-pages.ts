/** Pages that need no render: a page without its session, and an unknown page. Each is made once per language. */
import type { Locale } from '#lib/contract/locales.ts'
import { inlineScript } from './inline-script.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import type { TextAnswer } from '../http/answer.ts'
import { isSessionId } from '../http/session-cookie.ts'
import { LAUNCH_MESSAGES } from '#lib/i18n/messages/launch-messages.ts'
import { statePages, type StatePage, type StatePageFacts, type StatePageWords } from './state-page.ts'
import { escapeHtml } from './static-page.ts'

export interface NoSessionPages {
  /** @param returnUrl the session's return URL; null if it is unknown */
  noSession(locale: Locale, blocked: boolean, returnUrl: string | null): Promise<TextAnswer>
  notFound(locale: Locale, pathname: string): Promise<TextAnswer>
}

/** Texts that the script may show instead of the page's texts. */
const SCRIPT_TEXTS = [
  'problem.sessionEnded.reopening',
  'problem.cookies.waiting',
  'problem.cookies.failed',
] as const satisfies readonly MessageKey[]

/** The link is hidden in a frame, where the merchant's page opens the cashier again by itself. */
const backLink = (part: StatePageWords['part'], returnUrl: string | null): string =>
  returnUrl === null ? '' : part('common.back', 'a', ` class="button top-only" href="${escapeHtml(returnUrl)}"`)

const endedMain = ({ part, support }: StatePageWords, returnUrl: string | null): string => `\
${part('problem.sessionEnded.title', 'h1')}
${part('problem.sessionEnded.body', 'p')}
${part('problem.sessionEnded.again', 'p', ' id="again"')}
${backLink(part, returnUrl)}
${support}`

const blockedMain = ({ part }: StatePageWords): string => `\
${part('problem.cookies.title', 'h1')}
${part('problem.cookies.body', 'p')}
${part('problem.cookies.open', 'a', ' id="open" class="button" target="_blank" rel="noopener" hidden')}
${part('problem.cookies.waiting', 'p', ' id="status" role="status"')}`

const notFoundMain = ({ part, support }: StatePageWords, locale: Locale, session: string | null): string => `\
${part('problem.notFound.title', 'h1')}
${part('problem.notFound.body', 'p')}
${session === null ? part('problem.sessionEnded.again', 'p') : `<a class="button" href="/c/${session}">${LAUNCH_MESSAGES[locale].continue}</a>`}
${support}`

/** The session in a URL below its page. */
const sessionOf = (pathname: string): string | null => {
  const id = /^\/c\/([^/]+)\//.exec(pathname)?.[1] ?? ''
  return isSessionId(id) ? id : null
}

export function noSessionPages(facts: StatePageFacts): NoSessionPages {
  const document = statePages(facts)
  const made = new Map<string, TextAnswer>()
  /** Makes a page that is the same for everybody once. */
  const once = async (key: string, page: StatePage): Promise<TextAnswer> => {
    const answer = made.get(key) ?? (await document(page))
    made.set(key, answer)
    return answer
  }
  return {
    noSession: (locale, blocked, returnUrl) => {
      const page: StatePage = {
        locale,
        status: 200,
        testId: blocked ? 'cookies-blocked' : 'session-ended',
        title: ({ text }) => text('shell.title'),
        main: (words) => (blocked ? blockedMain(words) : endedMain(words, returnUrl)),
        scripts: ({ text }) => {
          const texts = Object.fromEntries(SCRIPT_TEXTS.map((key) => [key, text(key)]))
          return [inlineScript('no-session', facts.embedOrigins, texts, blocked)]
        },
      }
      return returnUrl === null ? once(`${locale} ${String(blocked)}`, page) : document(page)
    },
    notFound: (locale, pathname) => {
      const session = sessionOf(pathname)
      const page: StatePage = {
        locale,
        status: 404,
        testId: 'not-found',
        title: ({ text }) => text('problem.notFound.title'),
        main: (words) => notFoundMain(words, locale, session),
      }
      return session === null ? once(`${locale} -`, page) : document(page)
    },
  }
}
