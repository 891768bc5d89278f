/** Text as it may stand in HTML, between tags or in a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${String(mark.charCodeAt(0))};`)

/** JSON that a script reads from the page; no end tag can hide in it. */
export const embedded = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

export interface PageParts {
  readonly title: string
  /** Name of style sheet and script. */
  readonly name: string
  readonly theme: 'light' | 'dark' | 'auto'
  readonly body: string
}

export const htmlPage = ({ title, name, theme, body }: PageParts): string => `<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<title>${escaped(title)}</title>
<link rel="icon" href="/icons/network/Bitcoin.svg">
<link rel="stylesheet" href="/assets/page.css">
<link rel="stylesheet" href="/assets/${name}.css">
<script type="module" src="/assets/${name}.js"></script>
</head>
<body>
${body}
</body>
</html>
`
