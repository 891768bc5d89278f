import { expect, test } from 'vitest'
import { shownTheme } from './shown-theme.ts'

const page = (theme: string | undefined, deviceIsDark: boolean) =>
  ({
    document: { documentElement: { dataset: { theme } } },
    matchMedia: () => ({ matches: deviceIsDark }),
  }) as unknown as Window

test.each([
  ['light', true, 'light'],
  ['dark', false, 'dark'],
  ['auto', true, 'dark'],
  ['auto', false, 'light'],
  [undefined, true, 'dark'],
])('page %s, dark device %s: %s', (theme, dark, shown) => {
  expect(shownTheme(page(theme, dark))).toBe(shown)
})
