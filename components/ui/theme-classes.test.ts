import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const [, theme = ''] = readFileSync('app/theme.css', 'utf8').split('@theme inline')
/** The names of the theme's tokens of this kind, such as `card` of `--radius-card`. */
const tokens = (kind: string): readonly string[] =>
  Array.from(theme.matchAll(new RegExp(`--${kind}-([a-z0-9-]+):`, 'g')), ([, name = '']) => name)

/** Multiples of the theme's spacing. */
const STEPS = Array.from({ length: 100 }, (_step, index) => String(index))

/** A class that the theme lacks has no effect and causes no error. */
test.each([
  ['radius', 'rounded', ['full']],
  ['color', 'bg', []],
  ['min-height', 'min-h', ['full', 'dvh', ...STEPS]],
])('the theme has each %s that a class names', (kind, prefix, more) => {
  const used = globSync('{app,components}/**/*.tsx').flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(new RegExp(`[\\s"'\`:]${prefix}-([a-z0-9-]+)`, 'g'))).map(
      ([, name = '']) => name,
    ),
  )
  expect(used.length).toBeGreaterThan(5)
  expect(used.filter((name) => ![...tokens(kind), ...more].includes(name))).toEqual([])
})

test('the console has each width of the screen that a class names', () => {
  const style = readFileSync('app/operate/operate.css', 'utf8')
  const widths = Array.from(style.matchAll(/--breakpoint-(\w+):/g), ([, name]) => name)
  const used = globSync('components/operate/**/*.tsx').flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/[\s"'`](?:max-)?(sm|md|lg|xl|2xl):/g), ([, name]) => name),
  )
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name) => !widths.includes(name))).toEqual([])
})
