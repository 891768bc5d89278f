/** Pages that need no render: one without its session, and one that does not exist. Each is made once a language. */
import type { Locale } from '#lib/contract/cashier.ts'
import { MAX_FRAME_HEIGHT } from '#lib/contract/embed-limits.ts'
import { themeCss } from '#lib/contract/theme-tokens.ts'
import { cspHash, inlineScript, type InlineScript } from '#lib/embed/inline-script.ts'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { createTranslator, type MessageKey } from '#lib/i18n/translator.ts'
import type { Config } from '../config/config.ts'
import { documentPolicy } from '../http/response-headers.ts'
import { TextResponse } from '../http/text-response.ts'
import { noSessionFrame } from './no-session-script.ts'
import { DOCUMENT_STYLE } from './document-style.ts'
import { escapeHtml } from './static-page.ts'

export type NoSessionFacts = Pick<Config, 'publicUrl' | 'embedOrigins' | 'onrampOrigins' | 'supportUrl' | 'themeTokens'>

export interface NoSessionPages {
  noSession(locale: Locale, blocked: boolean): Promise<Response>
  notFound(locale: Locale): Promise<Response>
}

/** What the script may show in the place of what came with the page. */
const SCRIPT_TEXTS = [
  'problem.sessionEnded.reopening',
  'problem.cookies.waiting',
  'problem.cookies.failed',
] as const satisfies readonly MessageKey[]

type Part = (key: MessageKey, tag: string, attributes?: string) => string

const ICON =
  '<svg aria-hidden="true" width="32" height="32" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="M12 8v4m0 4h.01"/></svg>'

const endedMain = (part: Part, supportUrl: string | null): string => `<section data-testid="session-ended">
${ICON}
${part('problem.sessionEnded.title', 'h1')}
${part('problem.sessionEnded.body', 'p')}
${part('problem.sessionEnded.again', 'p', ' id="again"')}
${supportUrl === null ? '' : `<a class="support" data-testid="support" target="_blank" rel="noopener noreferrer" href="${escapeHtml(supportUrl)}">${part('problem.support', 'span')} ${part('common.newTab', 'span', ' class="hidden"')}</a>`}
</section>`

const blockedMain = (part: Part): string => `<section data-testid="cookies-blocked">
${ICON}
${part('problem.cookies.title', 'h1')}
${part('problem.cookies.body', 'p')}
${part('problem.cookies.open', 'a', ' id="open" class="button" target="_blank" rel="noopener" hidden')}
${part('problem.cookies.waiting', 'p', ' id="status" role="status"')}
</section>`

const notFoundMain = (part: Part): string => `<section data-testid="not-found">
${part('problem.notFound.title', 'h1')}
${part('problem.notFound.body', 'p')}
</section>`

export function noSessionPages(facts: NoSessionFacts): NoSessionPages {
  const style = DOCUMENT_STYLE + themeCss(facts.themeTokens)
  const styles = [cspHash(style)]

  async function document(
    locale: Locale,
    status: number,
    title: MessageKey,
    main: (part: Part) => string,
    scriptOf: (texts: Readonly<Record<string, string>>) => InlineScript | null,
  ): Promise<Response> {
    const catalogue = await loadCatalogue(locale)
    const { text } = createTranslator(catalogue)
    const part: Part = (key, tag, attributes = '') =>
      `<${tag}${attributes} data-text="${key}">${escapeHtml(text(key))}</${tag}>`
    const script = scriptOf(Object.fromEntries(SCRIPT_TEXTS.map((key) => [key, text(key)])))
    const html = `<!doctype html>
<html lang="${locale}" dir="${catalogue.direction}" data-theme="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(text(title))}</title>
<style>${style}</style>
</head>
<body>
<main class="page">
${main(part)}
</main>${script === null ? '' : `\n<script>${script.text}</script>`}
</body>
</html>
`
    const policy = documentPolicy(facts, { scripts: script === null ? [] : [script.hash], styles, posts: 'fetch' })
    return new TextResponse(html, {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policy,
      },
    })
  }

  const made = new Map<string, Response>()
  const once = async (key: string, make: () => Promise<Response>): Promise<Response> => {
    const response = made.get(key) ?? (await make())
    made.set(key, response)
    return response
  }
  return {
    noSession: (locale, blocked) =>
      once(`${locale} ${String(blocked)}`, () =>
        document(
          locale,
          200,
          'shell.title',
          (part) => (blocked ? blockedMain(part) : endedMain(part, facts.supportUrl)),
          (texts) => inlineScript(noSessionFrame, facts.embedOrigins, texts, blocked, MAX_FRAME_HEIGHT),
        ),
      ),
    notFound: (locale) =>
      once(`${locale} -`, () => document(locale, 404, 'problem.notFound.title', notFoundMain, () => null)),
  }
}
