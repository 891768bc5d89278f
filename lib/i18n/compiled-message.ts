/**
 * An ICU message as data: small enough to go to the page as it is, so that no parser does. Plain text is a string; else
 * a list of texts and of these.
 */
export type CompiledPiece =
  | string
  /** The value of that name as it stands. */
  | readonly ['value', string]
  /** `#` in a plural: the number that chose the case, less its offset. */
  | readonly ['#']
  | readonly ['plural', string, 'cardinal' | 'ordinal', number, Readonly<Record<string, CompiledMessage>>]
  | readonly ['select', string, Readonly<Record<string, CompiledMessage>>]
  /** `<b>…</b>`: what stands between is given to the value of that name. */
  | readonly ['tag', string, CompiledMessage]

export type CompiledMessage = string | readonly CompiledPiece[]
