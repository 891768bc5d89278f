/** Escapes text for HTML, between tags or in a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${String(mark.charCodeAt(0))};`)

/** JSON for a script of the page; it cannot contain an end tag. */
export const embedded = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

export interface PageParts {
  readonly title: string
  /** The name of its style sheet. */
  readonly style: string
  /** The name of its script; a page without a script is complete. */
  readonly script?: string
  readonly theme: 'light' | 'dark' | 'auto'
  readonly body: string
}

export const htmlPage = ({ title, style, script, theme, body }: PageParts): string => `<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<title>${escaped(title)}</title>
<link rel="icon" href="/icons/network/Bitcoin.svg">
<link rel="stylesheet" href="/assets/page.css">
<link rel="stylesheet" href="/assets/${style}.css">${script === undefined ? '' : `\n<script type="module" src="/assets/${script}.js"></script>`}
</head>
<body>
${body}
</body>
</html>
`
