import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { THEME_COLOURS, themeColours } from './theme-colours.ts'

/** The variables of the first block that begins with `start`. */
function variablesAfter(css: string, start: string): ReadonlyMap<string, string> {
  const from = css.indexOf(start)
  const block = css.slice(from, css.indexOf('}', from))
  return new Map(Array.from(block.matchAll(/--([\w-]+): ([^;]+);/g), ([, name = '', value = '']) => [name, value]))
}

test('the colours are those of app/theme.css', () => {
  const css = readFileSync('app/theme.css', 'utf8')
  const light = variablesAfter(css, ':root {')
  const dark = variablesAfter(css, "[data-theme='dark'] {")
  for (const [name, values] of Object.entries(THEME_COLOURS))
    expect([name, ...values]).toEqual([name, light.get(name), dark.get(name)])
})

test('a style sheet may have some of them', () => {
  expect(themeColours('dark', ['bg', 'ink'])).toBe('color-scheme:dark;--bg:#0b0d12;--ink:#f2f4f8')
})
