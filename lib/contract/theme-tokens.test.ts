import { expect, test } from 'vitest'
import { themeCss, tokenFault } from './theme-tokens.ts'

test.each([
  ['accent', '#2450e6'],
  ['accent-dark', '#8ea8ff'],
  ['surface', 'rgb(255 255 255 / 0.9)'],
  ['ink', 'oklch(0.2 0.03 270)'],
  ['radius', '14px'],
  ['radius-s', '0.625rem'],
  ['font', '"Inter", system-ui, sans-serif'],
])('%s may be %s', (name, value) => {
  expect(tokenFault(name, value)).toBeNull()
})

test.each([
  ['accent', 'red;} body{display:none'],
  ['accent', 'url(https://elsewhere.example/x)'],
  ['accent', 'var(--bad)'],
  ['accent', 'rgb(0 0 0);--x:1'],
  ['radius', '100px'],
  ['radius', 'calc(1px)'],
  ['font', '"Inter</style>"'],
  ['font', 'a, url(x)'],
  ['font', 'Inter,, serif'],
  ['font', `"Inter", ${'x'.repeat(200)}`],
  // A pattern for the whole list took longer than anybody waited.
  ['font', `${'a, '.repeat(60)}!`],
  ['shadow', '0 0 1px'],
  ['constructor', '#fff'],
])('%s may not be %s', (name, value) => {
  expect(tokenFault(name, value)).not.toBeNull()
})

test('a colour applies to both themes, its `-dark` token to the dark theme; invalid tokens are left out', () => {
  expect(themeCss({ accent: '#00f', 'accent-dark': '#99f', line: '}' })).toBe(
    ':root:root{--accent:#00f}:root[data-theme=dark]{--accent:#99f}' +
      '@media (prefers-color-scheme:dark){:root[data-theme=auto]{--accent:#99f}}',
  )
  expect(themeCss({})).toBe('')
})
