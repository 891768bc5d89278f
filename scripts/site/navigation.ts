/** The navigation of the site: the groups and links of docs/README.md, in its order. */
import { join } from 'node:path/posix'
import { lexer, type Token, type Tokens } from 'marked'

export interface NavigationItem {
  readonly text: string
  /** From the root of the project. */
  readonly file: string
  /** Its place in the site, if the file does not say it. */
  readonly place?: string
}

export interface NavigationGroup {
  readonly name: string
  readonly items: readonly NavigationItem[]
}

/** Of the map of the documents. */
const FOLDER = 'docs'

const isLink = (token: Token): token is Tokens.Link => token.type === 'link'
const isInline = (token: Token): boolean => token.type === 'strong' || isLink(token)

const childrenOf = (token: Token): readonly Token[] => {
  if (token.type === 'list') return (token as Tokens.List).items
  return 'tokens' in token ? (token.tokens ?? []) : []
}

/** Bold texts and links, in their order. */
const namesAndLinks = (tokens: readonly Token[]): readonly Token[] =>
  tokens.flatMap((token) => (isInline(token) ? [token] : namesAndLinks(childrenOf(token))))

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A bold text begins a group. A bold link is a group of its own. */
export function readNavigation(markdown: string): readonly NavigationGroup[] {
  const groups: { name: string; items: NavigationItem[] }[] = []
  const add = ({ text, href }: Tokens.Link): void => {
    const plain = text.replaceAll('`', '')
    // A file keeps its name.
    const item = { text: plain.includes('.') ? plain : capital(plain), file: join(FOLDER, href) }
    groups.at(-1)?.items.push(item)
  }
  for (const token of namesAndLinks(lexer(markdown))) {
    if (isLink(token)) add(token)
    else {
      const link = childrenOf(token).find(isLink)
      groups.push({ name: link ? 'Begin' : (token as Tokens.Strong).text, items: [] })
      if (link) add(link)
    }
  }
  // Bold links that follow one another are one group.
  return groups.reduce<NavigationGroup[]>((merged, group) => {
    const before = merged.at(-1)
    if (before?.name !== group.name) return [...merged, group]
    return [...merged.slice(0, -1), { name: group.name, items: [...before.items, ...group.items] }]
  }, [])
}
