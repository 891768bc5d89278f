type Child = Node | string | null | false

type Properties = Readonly<Record<string, string | boolean | ((event: Event) => void) | null>>

/** Creates an element. Functions become listeners, `true` an empty attribute; texts are never parsed as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(name, value)
    else if (typeof value === 'string') made.setAttribute(name, value)
    else if (value === true) made.setAttribute(name, '')
  }
  made.append(...children.filter((child) => child !== null && child !== false))
  return made
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}
