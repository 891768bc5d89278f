/** Finds elements in a frame's content, by the rules of Playwright's locators. */
import type { MinimalRole, MinimalRoleOptions, NameOptions } from '../../packages/testing/src/minimal-locator.ts'
import type { FrameCommands, Reference } from './frame-commands.ts'

export interface Finder {
  /** For messages. */
  readonly description: string
  /** Finds elements in document order; `within` null means the whole document. */
  find(page: FrameCommands, within: Reference | null): Promise<readonly Reference[]>
}

/** The elements that may have a role. The engine computes their names. */
const CANDIDATES: Readonly<Record<MinimalRole, string>> = {
  alert: '[role="alert"]',
  button: 'button:not([role]), [role="button"]',
  combobox: 'select:not([role]), [role="combobox"]',
  contentinfo: 'footer:not([role], :is(article, aside, main, nav, section) footer), [role="contentinfo"]',
  dialog: 'dialog:not([role]), [role="dialog"]',
  heading: ':is(h1, h2, h3, h4, h5, h6):not([role]), [role="heading"]',
  link: 'a[href]:not([role]), [role="link"]',
  navigation: 'nav:not([role]), [role="navigation"]',
  option: '[role="option"]',
  region: 'section:not([role]), [role="region"]',
}

const FIND = 'return [...(arguments[0] ?? document).querySelectorAll(arguments[1])]'
/** Without elements that assistive technology does not see. */
const FIND_SEEN = `return [...(arguments[0] ?? document).querySelectorAll(arguments[1])].filter((element) =>
  element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible'
    && !element.closest('[aria-hidden="true"]'))`
const JOIN = `return [...new Set(arguments)].sort((one, other) =>
  one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1)`

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

function fits(label: string, wanted: string | RegExp, exact: boolean): boolean {
  const text = plain(label)
  if (wanted instanceof RegExp) return wanted.test(text)
  return exact ? text === plain(wanted) : text.toLowerCase().includes(plain(wanted).toLowerCase())
}

async function named(
  page: FrameCommands,
  candidates: readonly Reference[],
  name: string | RegExp,
  exact = false,
): Promise<readonly Reference[]> {
  const found: Reference[] = []
  for (const candidate of candidates) if (fits(await page.label(candidate), name, exact)) found.push(candidate)
  return found
}

export const byCss = (selector: string): Finder => ({
  description: selector,
  find: (page, within) => page.elements(FIND, within, selector),
})

export function byRole(role: MinimalRole, { name, exact, level }: MinimalRoleOptions = {}): Finder {
  const candidates =
    level === undefined ? CANDIDATES[role] : `h${level}:not([role]), [role="heading"][aria-level="${level}"]`
  return {
    description: name === undefined ? role : `${role} ${String(name)}`,
    async find(page, within) {
      const seen = await page.elements(FIND_SEEN, within, candidates)
      return name === undefined ? seen : named(page, seen, name, exact)
    },
  }
}

export const byLabel = (text: string, { exact }: NameOptions = {}): Finder => ({
  description: `label ${text}`,
  find: async (page, within) => named(page, await page.elements(FIND, within, 'input, select, textarea'), text, exact),
})

export const inside = (outer: Finder, inner: Finder): Finder => ({
  description: `${outer.description} >> ${inner.description}`,
  async find(page, within) {
    const found: Reference[] = []
    for (const element of await outer.find(page, within)) found.push(...(await inner.find(page, element)))
    return found.length > 1 ? page.elements(JOIN, ...found) : found
  },
})

export const either = (one: Finder, other: Finder): Finder => ({
  description: `${one.description} or ${other.description}`,
  async find(page, within) {
    const found = [...(await one.find(page, within)), ...(await other.find(page, within))]
    return found.length > 1 ? page.elements(JOIN, ...found) : found
  },
})

export const firstOf = (finder: Finder): Finder => ({
  description: `${finder.description} >> first`,
  find: async (page, within) => (await finder.find(page, within)).slice(0, 1),
})
