import { tokenFault } from './theme-tokens.ts'

export type ThemeTokens = Readonly<Record<string, string>>

export type ThemeTokensRead =
  { readonly ok: true; readonly tokens: ThemeTokens } | { readonly ok: false; readonly faults: readonly string[] }

/** Reads tokens from an unknown value; `--accent` counts as `accent`. Reports all faults together. */
export function readThemeTokens(value: unknown): ThemeTokensRead {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, faults: ['must be an object of names and values'] }
  }
  const tokens: Record<string, string> = {}
  const faults: string[] = []
  for (const [key, given] of Object.entries(value as Record<string, unknown>)) {
    const name = key.startsWith('--') ? key.slice(2) : key
    const text = typeof given === 'string' ? given.trim() : ''
    const fault = tokenFault(name, text)
    if (fault === null) tokens[name] = text
    else faults.push(`${key.slice(0, 40)}: ${fault}`)
  }
  return faults.length === 0 ? { ok: true, tokens } : { ok: false, faults }
}
