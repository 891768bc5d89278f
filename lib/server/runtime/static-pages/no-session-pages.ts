/** Pages that need no render: a page without its session, and an unknown page. Each is made once per language. */
import type { Locale } from '#lib/contract/locales.ts'
import { inlineScript } from './inline-script.ts'
import { siteText } from '#lib/i18n/site-texts.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import type { WayBack } from '../../merchant/find-active-session.ts'
import type { TextAnswer } from '../http/answer.ts'
import { isSessionId } from '../http/session-cookie.ts'
import { LAUNCH_MESSAGES } from '#lib/i18n/messages/launch-messages.ts'
import { statePages, type StatePage, type StatePageFacts, type StatePageWords } from './state-page.ts'
import { escapeHtml } from './static-page.ts'

export interface NoSessionPages {
  /** @param wayBack of the ended session; null if it is unknown */
  noSession(locale: Locale, blocked: boolean, wayBack: WayBack | null): Promise<TextAnswer>
  notFound(locale: Locale, pathname: string): Promise<TextAnswer>
}

/** Texts that the script may show instead of the page's texts. */
const SCRIPT_TEXTS = [
  'problem.sessionEnded.reopening',
  'problem.cookies.waiting',
  'problem.cookies.failed',
] as const satisfies readonly MessageKey[]

const UNKNOWN_WAY: WayBack = { returnUrl: null, merchantName: null }

/** The link is hidden in a frame, where the merchant's page opens the cashier again by itself. */
const backLink = (about: StatePageWords['part'], returnUrl: string | null): string =>
  returnUrl === null ? '' : about('common.back', 'a', ` class="button top-only" href="${escapeHtml(returnUrl)}"`)

const endedMain = ({ part, support }: StatePageWords, { returnUrl, merchantName }: WayBack): string => {
  const about: StatePageWords['part'] = (key, tag, attributes) =>
    part(siteText(key, merchantName), tag, attributes, { site: merchantName ?? '' })
  return `\
${part('problem.sessionEnded.title', 'h1')}
${part('problem.sessionEnded.body', 'p')}
${about('problem.sessionEnded.again', 'p', ' id="again"')}
${backLink(about, returnUrl)}
${support}`
}

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
    noSession: (locale, blocked, wayBack) => {
      const page: StatePage = {
        locale,
        status: 200,
        testId: blocked ? 'cookies-blocked' : 'session-ended',
        title: ({ text }) => text('shell.title'),
        main: (words) => (blocked ? blockedMain(words) : endedMain(words, wayBack ?? UNKNOWN_WAY)),
        scripts: ({ text }) => {
          const texts = Object.fromEntries(SCRIPT_TEXTS.map((key) => [key, text(key)]))
          return [inlineScript('no-session', facts.embedOrigins, texts, blocked)]
        },
      }
      return wayBack === null ? once(`${locale} ${String(blocked)}`, page) : document(page)
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
