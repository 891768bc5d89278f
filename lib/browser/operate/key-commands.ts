/** Which key does what in the console. */

export type KeyCommand =
  | { readonly kind: 'search' | 'palette' | 'keys' | 'next-row' | 'previous-row' | 'wait-for-letter' }
  | { readonly kind: 'page'; readonly letter: string }

export interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

const BY_KEY: Readonly<Record<string, KeyCommand>> = {
  '/': { kind: 'search' },
  '?': { kind: 'keys' },
  j: { kind: 'next-row' },
  k: { kind: 'previous-row' },
  g: { kind: 'wait-for-letter' },
}

/**
 * The command of a key; null if it has none.
 * @param typing the focus is in a field, or a dialog is open: only the palette's key counts
 * @param afterG the key before was `g`, a moment ago
 */
export function keyCommand(pressed: PressedKey, typing: boolean, afterG: boolean): KeyCommand | null {
  const { key, ctrlKey, metaKey, altKey } = pressed
  if ((ctrlKey || metaKey) && !altKey) return key.toLowerCase() === 'k' ? { kind: 'palette' } : null
  if (typing || altKey) return null
  if (afterG && /^[a-z]$/.test(key)) return { kind: 'page', letter: key }
  return BY_KEY[key] ?? null
}
