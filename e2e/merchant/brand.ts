/** The shop's colours, as the cashier takes them in `tokens` (docs/embedding.md). */
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
