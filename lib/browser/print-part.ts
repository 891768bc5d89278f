/** Prints one element of the page, or saves it as a file. */

/** Adds styles that come with code; the page's policy forbids others. Returns a function that removes them. */
export function addStyle(css: string): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}

/**
 * While it is on, paper shows a copy of the element in a sheet of its own (`sheetClass`, at the end of the body), and
 * the page's title is the name of the file. Returns a function that ends it.
 */
export function printOnly(element: HTMLElement, sheetClass: string, title: string): () => void {
  const sheet = document.createElement('div')
  sheet.className = sheetClass
  const pageTitle = document.title
  const before = (): void => {
    sheet.replaceChildren(element.cloneNode(true))
    document.body.append(sheet)
    document.title = title
  }
  const after = (): void => {
    sheet.remove()
    document.title = pageTitle
  }
  window.addEventListener('beforeprint', before)
  window.addEventListener('afterprint', after)
  return () => {
    window.removeEventListener('beforeprint', before)
    window.removeEventListener('afterprint', after)
    after()
  }
}

/** The element as a document of its own, which needs nothing from elsewhere. */
export function asDocument(element: HTMLElement, css: string, title: string): Blob {
  const made = document.implementation.createHTMLDocument(title)
  const { lang, dir } = document.documentElement
  Object.assign(made.documentElement, { lang, dir })
  const head = (name: string, attributes: Readonly<Record<string, string>>, text = ''): void => {
    const node = made.createElement(name)
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
    node.textContent = text
    made.head.append(node)
  }
  head('meta', { charset: 'utf-8' })
  head('meta', { name: 'viewport', content: 'width=device-width,initial-scale=1' })
  head('style', {}, css)
  made.body.append(made.importNode(element, true))
  return new Blob([`<!doctype html>\n${made.documentElement.outerHTML}`], { type: 'text/html;charset=utf-8' })
}
