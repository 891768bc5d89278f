/** Documents that need no render and show the end of something. All look like the pages' own `StateScreen`. */
import type { Locale } from '#lib/contract/locales.ts'
import { themeCss } from '#lib/contract/theme-tokens.ts'
import { cspHash, type InlineScript } from './inline-script.ts'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { createTranslator, type MessageKey, type Values } from '#lib/i18n/translator.ts'
import type { Config } from '../config/config.ts'
import { documentPolicy } from '../http/response-headers.ts'
import { TextAnswer } from '../http/answer.ts'
import { DOCUMENT_STYLE } from './document-style.ts'
import { escapeHtml } from './static-page.ts'

export type StatePageFacts = Pick<Config, 'publicUrl' | 'embedOrigins' | 'onrampOrigins' | 'supportUrl' | 'themeTokens'>

/** The tools for a page's texts, in its language. */
export interface StatePageWords {
  readonly text: (key: MessageKey, values?: Readonly<Record<string, string>>) => string
  /** An element whose text a script may translate. @param attributes begin with a space */
  readonly part: (key: MessageKey, tag: string, attributes?: string, values?: Values) => string
  /** The link to the merchant's support; empty if there is none. */
  readonly support: string
}

export interface StatePage {
  readonly locale: Locale
  readonly status: number
  readonly testId: string
  readonly title: (words: StatePageWords) => string
  /** HTML below the icon; outside input must be escaped. */
  readonly main: (words: StatePageWords) => string
  readonly scripts?: (words: StatePageWords) => readonly InlineScript[]
}

const ICON =
  '<svg aria-hidden="true" width="32" height="32" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="M12 8v4m0 4h.01"/></svg>'

export function statePages(facts: StatePageFacts): (page: StatePage) => Promise<TextAnswer> {
  const style = DOCUMENT_STYLE + themeCss(facts.themeTokens)
  const styles = [cspHash(style)]

  return async ({ locale, status, testId, title, main, scripts }) => {
    const catalogue = await loadCatalogue(locale)
    const { text } = createTranslator(catalogue)
    const part: StatePageWords['part'] = (key, tag, attributes = '', values = {}) =>
      `<${tag}${attributes} data-text="${key}">${escapeHtml(text(key, values))}</${tag}>`
    const support =
      facts.supportUrl === null
        ? ''
        : `<a class="support" data-testid="support" target="_blank" rel="noopener noreferrer" href="${escapeHtml(facts.supportUrl)}">${part('problem.support', 'span')} ${part('common.newTab', 'span', ' class="hidden"')}</a>`
    const words = { text, part, support }
    const inline = scripts?.(words) ?? []
    const html = `<!doctype html>
<html lang="${locale}" dir="${catalogue.direction}" data-theme="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title(words))}</title>
<style>${style}</style>
</head>
<body>
<main class="page">
<section data-testid="${testId}">
${ICON}
${main(words)}
</section>
</main>${inline.map((script) => `\n<script>${script.text}</script>`).join('')}
</body>
</html>
`
    const policy = documentPolicy(facts, { scripts: inline.map(({ hash }) => hash), styles, posts: 'fetch' })
    return new TextAnswer(html, {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policy,
      },
    })
  }
}
