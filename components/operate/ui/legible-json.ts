/** A string, as one piece, or a sign that JSON has outside strings, with the space around it. */
const PIECES = /"(?:[^"\\]|\\.)*"|\s*[{[]\s*[}\]]|\s*[{}[\],:]\s*|\s+/g

/** JSON with a line for each field, its numbers as they are written; any other text as it is. */
export function legibleJson(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  return text.replace(PIECES, (piece) => {
    if (piece.startsWith('"')) return piece
    const sign = piece.replace(/\s/g, '')
    if (sign === '{' || sign === '[') {
      depth += 1
      return sign + line()
    }
    if (sign === '}' || sign === ']') {
      depth -= 1
      return line() + sign
    }
    if (sign === ',') return sign + line()
    return sign === ':' ? ': ' : sign
  })
}
