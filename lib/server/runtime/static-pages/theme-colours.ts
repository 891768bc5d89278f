/** The colours of app/theme.css, for documents that do not load it: light, then dark. */
export const THEME_COLOURS = {
  bg: ['#f4f5f7', '#0b0d12'],
  surface: ['#fff', '#13161d'],
  sunken: ['#f4f5f8', '#1b1f29'],
  line: ['#e3e6ec', '#272c38'],
  ink: ['#0d1220', '#f2f4f8'],
  'ink-2': ['#525b6e', '#aab2c2'],
  'ink-3': ['#636c7f', '#949db0'],
  accent: ['#2450e6', '#8ea8ff'],
  'on-accent': ['#fff', '#0b1030'],
  'accent-soft': ['#eaefff', '#1c2547'],
  ok: ['#0b7a4b', '#5fd6a0'],
  'ok-soft': ['#e4f6ed', '#10291f'],
  wait: ['#8a5600', '#f0bc62'],
  'wait-soft': ['#fdf2dc', '#2c2212'],
  bad: ['#b3261e', '#ff8f86'],
  'bad-soft': ['#fdecea', '#331816'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>

type ColourName = keyof typeof THEME_COLOURS
const ALL = Object.keys(THEME_COLOURS) as ColourName[]

/** The declarations of a scheme's colours, for a style sheet. */
export const themeColours = (scheme: 'light' | 'dark', names: readonly ColourName[] = ALL): string =>
  [
    `color-scheme:${scheme}`,
    ...names.map((name) => `--${name}:${THEME_COLOURS[name][scheme === 'light' ? 0 : 1]}`),
  ].join(';')
