/** Who may be signed in at the demo shop: `id` is the user reference that the cashier knows. */
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
