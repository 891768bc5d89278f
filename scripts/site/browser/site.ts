/** The script of the site's pages: search, tabs by language, versions. */
import MiniSearch from 'minisearch'
import type { SearchEntry } from '../search-entries.ts'

const root = document.documentElement.dataset['root'] ?? './'
/** Remembers the language of tabs. */
const LANGUAGE = 'cashier-docs-language'
const MOST_RESULTS = 12

const all = <T extends HTMLElement>(from: ParentNode, selector: string): T[] =>
  Array.from(from.querySelectorAll<T>(selector))

async function loadJson<T>(path: string): Promise<T> {
  const response = await fetch(root + path)
  if (!response.ok) throw new Error(`${path}: status ${response.status}`)
  return (await response.json()) as T
}

let searching: Promise<MiniSearch<SearchEntry>> | undefined

const loadSearch = (): Promise<MiniSearch<SearchEntry>> =>
  (searching ??= loadJson<SearchEntry[]>('search.json').then((entries) => {
    const index = new MiniSearch<SearchEntry>({
      fields: ['heading', 'page', 'text'],
      storeFields: ['url', 'heading', 'page'],
      idField: 'url',
      searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
    })
    index.addAll(entries)
    return index
  }))

function prepareSearch(field: HTMLInputElement, list: HTMLElement, found: HTMLElement): void {
  const show = (results: readonly { url: string; heading: string; page: string }[]): void => {
    list.replaceChildren(
      ...results.map(({ url, heading, page }) => {
        const link = document.createElement('a')
        link.href = root + url
        const where = document.createElement('span')
        where.textContent = page
        link.append(heading, where)
        const entry = document.createElement('li')
        entry.append(link)
        return entry
      }),
    )
    list.hidden = results.length === 0
  }
  const search = async (): Promise<void> => {
    const words = field.value.trim()
    if (words === '') {
      show([])
      found.textContent = ''
      return
    }
    const index = await loadSearch()
    // A faster answer to later words must not be replaced.
    if (field.value.trim() !== words) return
    const results = index.search(words).slice(0, MOST_RESULTS) as unknown as SearchEntry[]
    show(results)
    found.textContent = results.length === 0 ? 'Nothing found' : `${results.length} found`
  }
  const fail = (): void => {
    searching = undefined
    found.textContent = 'The search cannot be loaded'
  }
  field.addEventListener('input', () => void search().catch(fail))
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') show([])
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== field) show([])
  })
}

function remembered(): string | null {
  try {
    return localStorage.getItem(LANGUAGE)
  } catch {
    return null
  }
}

function remember(language: string): void {
  try {
    localStorage.setItem(LANGUAGE, language)
  } catch {
    // A browser may refuse storage; the choice then lasts as long as the page.
  }
}

function choose(language: string): void {
  for (const group of all(document, '.tabs')) {
    const tabs = all(group, '[role=tab]')
    if (!tabs.some(({ textContent }) => textContent === language)) continue
    for (const tab of tabs) {
      const selected = tab.textContent === language
      tab.setAttribute('aria-selected', String(selected))
      tab.tabIndex = selected ? 0 : -1
    }
    for (const panel of all(group, '[data-tab]')) panel.hidden = panel.dataset['tab'] !== language
  }
}

/** The arrow keys move between the tabs of a group. */
function prepareTabs(group: HTMLElement): void {
  const list = document.createElement('div')
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  const name = group.dataset['tabs'] ?? ''
  const tabs = all(group, '[data-tab]').map((panel) => {
    const language = panel.dataset['tab'] ?? ''
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.textContent = language
    tab.id = `tab-${name}-${language}`
    tab.setAttribute('role', 'tab')
    panel.id = `panel-${name}-${language}`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    tab.setAttribute('aria-controls', panel.id)
    const take = (): void => {
      const top = tab.getBoundingClientRect().top
      choose(language)
      // Groups above may have changed their height.
      scrollBy(0, tab.getBoundingClientRect().top - top)
      remember(language)
    }
    tab.addEventListener('click', take)
    return tab
  })
  list.addEventListener('keydown', ({ key }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    const at = tabs.findIndex((tab) => tab === document.activeElement)
    if (step === 0 || at < 0) return
    const next = tabs[(at + step + tabs.length) % tabs.length]
    next?.focus()
    next?.click()
  })
  list.append(...tabs)
  group.prepend(list)
}

async function prepareVersions(select: HTMLSelectElement): Promise<void> {
  const versions = await loadJson<string[]>('../versions.json')
  const label = document.querySelector<HTMLElement>('.version')
  if (versions.length < 2 || label === null) return
  const own = label.textContent
  label.hidden = true
  select.replaceChildren(...versions.map((version) => new Option(version, version, false, version === own)))
  select.hidden = false
  select.addEventListener('change', () => location.assign(`${root}../${select.value}/index.html`))
}

document.documentElement.dataset['scripts'] = 'on'
const menu = document.getElementById('menu')
if (menu instanceof HTMLDetailsElement) {
  const wide = matchMedia('(min-width: 60rem)')
  const fit = (): void => {
    menu.open = wide.matches
  }
  fit()
  wide.addEventListener('change', fit)
}
const field = document.getElementById('search')
const list = document.getElementById('results')
const found = document.getElementById('found')
if (field instanceof HTMLInputElement && list && found) prepareSearch(field, list, found)
const groups = all(document, '.tabs')
for (const group of groups) prepareTabs(group)
const first = groups[0]?.querySelector('[role=tab]')
if (first) {
  choose(first.textContent)
  const language = remembered()
  if (language !== null) choose(language)
}
const versions = document.getElementById('version')
// Opened as a file, the pages have no list of versions.
if (versions instanceof HTMLSelectElement) prepareVersions(versions).catch(() => undefined)
