/** The page of the merchant API: a form for each call, copy buttons, and the search of the list. */

/** More of an answer would make the page slow. */
const MOST_CHARACTERS = 50_000
const WIDE = '(min-width: 60rem)'

const all = <T extends HTMLElement>(root: ParentNode, selector: string): T[] =>
  Array.from(root.querySelectorAll<T>(selector))

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The path and query of a form's fields; empty fields of the query are left out. */
function target(form: HTMLElement): string {
  const query = new URLSearchParams()
  let path = form.dataset['path'] ?? ''
  for (const field of all<Field>(form, '[data-in]')) {
    const { in: where, name = '' } = field.dataset
    if (where === 'path') path = path.replace(`{${name}}`, encodeURIComponent(field.value))
    else if (where === 'query' && field.value !== '') query.append(name, field.value)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** JSON on lines of its own; any other text as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

async function send(form: HTMLElement, key: string, say: (words: string) => void, show: (text: string) => void) {
  const body = form.querySelector<HTMLTextAreaElement>('[data-in=body]')?.value
  const began = performance.now()
  const response = await fetch(target(form), {
    method: form.dataset['method'] ?? 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
  })
  const text = readable(await response.text())
  say(`Answer ${response.status} after ${Math.round(performance.now() - began)} ms`)
  show(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n…` : text)
}

function prepareForm(form: HTMLElement, keyField: HTMLInputElement): void {
  const result = form.querySelector('.result')
  const reply = form.querySelector<HTMLElement>('.reply')
  const button = form.querySelector<HTMLButtonElement>('.send')
  if (!result || !reply || !button) return
  const say = (words: string): void => {
    result.textContent = words
  }
  const show = (text: string): void => {
    reply.textContent = text
    reply.hidden = text === ''
  }
  button.addEventListener('click', () => {
    const key = keyField.value.trim()
    show('')
    // A header cannot have other characters, and no key has them.
    if (!/^[!-~]+$/.test(key)) {
      say('Type your key first: the field is at the top of this page.')
      keyField.focus()
      return
    }
    button.disabled = true
    say('Sending…')
    send(form, key, say, show)
      .catch(() => say('No answer came: the cashier cannot be reached.'))
      .finally(() => {
        button.disabled = false
      })
  })
}

function prepareCopy(button: HTMLButtonElement): void {
  const text = button.parentElement?.querySelector('pre')
  if (!text) return
  button.addEventListener('click', () => {
    getSelection()?.selectAllChildren(text)
    const clipboard = navigator.clipboard as Clipboard | undefined
    void clipboard?.writeText(text.textContent).then(() => {
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 2000)
    })
  })
}

/** Hides the entries of the list that lack the words. */
function prepareSearch(find: HTMLInputElement, menu: HTMLElement): void {
  find.addEventListener('input', () => {
    const words = find.value.toLowerCase().trim()
    for (const list of all(menu, 'ul')) {
      const entries = all(list, 'li')
      for (const entry of entries) entry.hidden = !entry.textContent.toLowerCase().includes(words)
      const none = entries.every(({ hidden }) => hidden)
      list.hidden = none
      const heading = list.previousElementSibling
      if (heading instanceof HTMLElement) heading.hidden = none
    }
  })
}

export default function apiPage(): void {
  document.documentElement.dataset['scripts'] = 'on'
  const menu = document.getElementById('menu')
  if (menu instanceof HTMLDetailsElement) {
    const wide = matchMedia(WIDE)
    const fit = (): void => {
      menu.open = wide.matches
    }
    fit()
    wide.addEventListener('change', fit)
    menu.addEventListener('click', ({ target: pressed }) => {
      if (pressed instanceof HTMLAnchorElement) fit()
    })
    const find = document.getElementById('find')
    if (find instanceof HTMLInputElement) prepareSearch(find, menu)
  }
  const key = document.getElementById('key')
  if (key instanceof HTMLInputElement) {
    // A browser may keep the page for its Back button.
    addEventListener('pagehide', () => {
      key.value = ''
    })
    for (const form of all(document, '.try')) prepareForm(form, key)
  }
  for (const button of all<HTMLButtonElement>(document, '.copy')) prepareCopy(button)
}
