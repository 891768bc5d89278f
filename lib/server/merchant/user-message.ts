const MOST_CHARACTERS = 500

/** The merchant's message in the form that is shown: one line without control characters, at most 500 characters. */
export function cleanUserMessage(text: string | null | undefined): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return line === '' ? null : Array.from(line).slice(0, MOST_CHARACTERS).join('').trim()
}
