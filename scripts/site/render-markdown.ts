/** A document as HTML. */
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '#lib/server/runtime/static-pages/static-page.ts'
import { anchorOf } from '../read-markdown.ts'
import { backendCode, type CodeTab } from './backend-code.ts'
import { placeOf, targetOf, wayTo } from './site-files.ts'

export interface Section {
  /** Without `#`; empty for the top of the page. */
  readonly anchor: string
  readonly heading: string
  readonly html: string
}

export interface Rendered {
  readonly title: string
  readonly sections: readonly Section[]
  /** Files and folders of the project that it links to. */
  readonly linked: readonly string[]
}

const CODE_PART = /^<!-- code: (\w+) -->/
const COMMENT = /^<!--/

/** Lines keep their length, so a reader scrolls by the keyboard. */
export const codeBlock = (text: string): string => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`

/** Without scripts all parts are shown, each below its name. */
const tabs = (name: string, parts: readonly CodeTab[]): string =>
  `<div class="tabs" data-tabs="${name}">${parts
    .map(({ label, code }) => `<section data-tab="${label}"><h4>${label}</h4>${codeBlock(code)}</section>`)
    .join('')}</div>`

/** @throws RangeError for a link that leads nowhere, and for HTML in the document */
export function renderMarkdown(file: string, markdown: string): Rendered {
  const place = placeOf(file)
  const linked = new Set<string>()
  const anchors = new Set<string>()
  const sections: { anchor: string; heading: string; html: string }[] = []

  const hrefOf = (href: string): { readonly to: string; readonly outside: boolean } => {
    const target = targetOf(file, href)
    if (target.kind === 'outside') return { to: target.href, outside: true }
    linked.add(target.file)
    return { to: wayTo(place, placeOf(target.file)) + target.anchor, outside: false }
  }
  const freeAnchor = (heading: string): string => {
    const anchor = anchorOf(heading)
    let free = anchor
    for (let again = 1; anchors.has(free); again += 1) free = `${anchor}-${again}`
    anchors.add(free)
    return free
  }

  const marked = new Marked({
    renderer: {
      link({ href, tokens }: Tokens.Link) {
        const { to, outside } = hrefOf(href)
        return `<a href="${escapeHtml(to)}"${outside ? ' rel="noopener noreferrer"' : ''}>${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(hrefOf(href).to)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code: ({ text }: Tokens.Code) => codeBlock(text),
      html({ text }: Tokens.HTML | Tokens.Tag) {
        const part = CODE_PART.exec(text)?.[1]
        if (part !== undefined) return tabs(part, backendCode(part))
        if (COMMENT.test(text)) return ''
        throw new RangeError(`${file} has HTML: ${text.slice(0, 40)}`)
      },
    },
  })

  const wrapped = (html: string): string =>
    html.replaceAll('<table>', '<div class="wide" tabindex="0"><table>').replaceAll('</table>', '</table></div>')
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') {
      const { depth, text, tokens } = token as Tokens.Heading
      const anchor = freeAnchor(text)
      const inner = marked.parser([{ type: 'text', raw: text, text, tokens }])
      const heading = `<h${depth} id="${anchor}">${inner}</h${depth}>`
      sections.push({ anchor: depth === 1 ? '' : anchor, heading: plainText(inner), html: heading })
    } else {
      const last = sections.at(-1)
      const html = wrapped(marked.parser([token]))
      if (last) last.html += html
      else if (html.trim() !== '') throw new RangeError(`${file} does not begin with its title`)
    }
  }
  return { title: sections[0]?.heading ?? file, sections, linked: [...linked] }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** The text of HTML that this project makes, on one line. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? '')
    .split(/\s/)
    .filter((word) => word !== '')
    .join(' ')
