/** The demo shop's users. `id` is the user's reference at the cashier. */
export const PLAYERS = [
  { id: 'player-mira', name: 'Mira Okafor' },
  { id: 'player-jonas', name: 'Jonas Lind' },
  { id: 'player-aiko', name: 'Aiko Tanabe' },
] as const

export const FLOWS = ['deposit', 'withdraw', 'buy', 'history'] as const
export const THEMES = ['auto', 'light', 'dark'] as const
export const LANGUAGES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['pt-BR', 'Português (Brasil)'],
  ['tr', 'Türkçe'],
  ['ru', 'Русский'],
  ['ja', '日本語'],
  ['zh-Hans', '简体中文'],
  ['ar', 'العربية'],
] as const

/** The shop's colours, for the `tokens` of a session (docs/guides/embed.md). */
export const BRAND = {
  accent: '#2c6a45',
  'on-accent': '#ffffff',
  'accent-soft': '#e4f1e8',
  'accent-dark': '#7fd0a0',
  'on-accent-dark': '#08180f',
  'accent-soft-dark': '#17301f',
  'surface-dark': '#161c18',
  'sunken-dark': '#1f2822',
  'raised-dark': '#2e3a32',
  'line-dark': '#29322c',
} as const
