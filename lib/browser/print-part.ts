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

const escaped = (text: string): string => {
  const span = document.createElement('span')
  span.textContent = text
  return span.innerHTML
}

/**
 * The element as a document of its own, which needs nothing from elsewhere. It is written as text: the page's policy
 * forbids a style element, even in a document that is not shown.
 */
export function asDocument(element: HTMLElement, css: string, title: string): Blob {
  const { lang, dir } = document.documentElement
  const text = `<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)}</title>
<style>${css}</style>
</head>
<body>
${element.outerHTML}
</body>
</html>
`
  return new Blob([text], { type: 'text/html;charset=utf-8' })
}
