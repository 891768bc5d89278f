/**
 * The theme values that a merchant may set, by name: `tokens` of a session, `THEME_TOKENS` of the installation.
 * A colour applies to both themes; the same name with `-dark` replaces it in the dark theme.
 */
const COLOUR_TOKENS = [
  'bg',
  'surface',
  'sunken',
  'raised',
  'line',
  'ink',
  'ink-2',
  'ink-3',
  'accent',
  'on-accent',
  'accent-soft',
  'ok',
  'ok-soft',
  'wait',
  'wait-soft',
  'bad',
  'bad-soft',
  'unsure',
  'unsure-soft',
] as const
const LENGTH_TOKENS = ['radius', 'radius-s'] as const
const FONT_TOKENS = ['font', 'mono'] as const

/** Hex, or a colour function of plain numbers: nothing that could load a resource or end the declaration. */
const COLOUR =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch)\([\d.,%/ a-z-]{1,60}\))$/i
const LENGTH = /^(?:0|\d{1,2}(?:\.\d{1,3})?(?:px|rem|em))$/
const FONT_NAME = /^(?:[\w -]+|"[\w -]+"|'[\w -]+')$/
/** No pattern is tried on a longer value. */
const LONGEST_VALUE = 200

/** Each name is judged by itself: one pattern for the whole list would try every way to divide it. */
const isFontList = (value: string): boolean => value.split(',').every((name) => FONT_NAME.test(name.trim()))

interface Kind {
  readonly allows: (value: string) => boolean
  readonly example: string
}

const KINDS = {
  colour: { allows: (value) => COLOUR.test(value), example: 'a colour such as #2450e6 or rgb(36 80 230)' },
  length: { allows: (value) => LENGTH.test(value), example: 'a length such as 14px or 0.875rem' },
  font: { allows: isFontList, example: 'a list of font names such as "Inter", sans-serif' },
} satisfies Record<string, Kind>

const TOKENS = new Map<string, Kind>([
  ...COLOUR_TOKENS.flatMap((name) => [[name, KINDS.colour] as const, [`${name}-dark`, KINDS.colour] as const]),
  ...LENGTH_TOKENS.map((name) => [name, KINDS.length] as const),
  ...FONT_TOKENS.map((name) => [name, KINDS.font] as const),
])

export const TOKEN_NAMES: readonly string[] = [...TOKENS.keys()]

/** What is wrong with one token, for people, or null. */
export function tokenFault(name: string, value: string): string | null {
  const kind = TOKENS.get(name)
  if (!kind) return `no such token; there are: ${TOKEN_NAMES.join(', ')}`
  return value.length <= LONGEST_VALUE && kind.allows(value) ? null : `must be ${kind.example}`
}

/** The tokens as CSS; each is checked again. Empty without tokens. */
export function themeCss(tokens: Readonly<Record<string, string>>): string {
  const sound = Object.entries(tokens).filter(([name, value]) => tokenFault(name, value) === null)
  const block = (selector: string, entries: readonly (readonly [string, string])[]): string =>
    entries.length === 0 ? '' : `${selector}{${entries.map(([name, value]) => `--${name}:${value}`).join(';')}}`
  const dark = sound
    .filter(([name]) => name.endsWith('-dark'))
    .map(([name, value]) => [name.slice(0, -'-dark'.length), value] as const)
  return [
    block(
      ':root:root',
      sound.filter(([name]) => !name.endsWith('-dark')),
    ),
    block(':root[data-theme=dark]', dark),
    dark.length === 0 ? '' : `@media (prefers-color-scheme:dark){${block(':root[data-theme=auto]', dark)}}`,
  ].join('')
}
