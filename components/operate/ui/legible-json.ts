const OPENING = '{['
const CLOSING = '}]'
const SPACE = ' \t\n\r'

/** A JSON text, known to be one, with a line for each field. */
function indented(text: string): string {
  const pieces: string[] = []
  let depth = 0
  let quoted = false
  let escaped = false
  /** After an opening sign: an empty object or list stays on its line. */
  let opened = false
  const line = (): string => `\n${'  '.repeat(depth)}`
  for (const sign of text) {
    if (quoted) {
      pieces.push(sign)
      quoted = sign !== '"' || escaped
      escaped = sign === '\\' && !escaped
    } else if (!SPACE.includes(sign)) {
      const closes = CLOSING.includes(sign)
      if (closes) depth -= 1
      if (opened !== closes) pieces.push(line())
      pieces.push(sign)
      opened = OPENING.includes(sign)
      if (opened) depth += 1
      if (sign === ',') pieces.push(line())
      if (sign === ':') pieces.push(' ')
      quoted = sign === '"'
    }
  }
  return pieces.join('')
}

/** JSON with a line for each field, its numbers as they are written; any other text as it is. */
export function legibleJson(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  return indented(text)
}
