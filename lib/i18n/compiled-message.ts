/**
 * A parsed ICU message as JSON, so that the page needs no parser. Plain text is a string; any other message is a list
 * of texts and of these pieces.
 */
export type CompiledPiece =
  | string
  /** The value with this name, unchanged. */
  | readonly ['value', string]
  /** `#` in a plural: the number that chose the case, minus its offset. */
  | readonly ['#']
  | readonly ['plural', string, 'cardinal' | 'ordinal', number, Readonly<Record<string, CompiledMessage>>]
  | readonly ['select', string, Readonly<Record<string, CompiledMessage>>]
  /** `<b>…</b>`: the value with this name is a function, called with the content. */
  | readonly ['tag', string, CompiledMessage]

export type CompiledMessage = string | readonly CompiledPiece[]
