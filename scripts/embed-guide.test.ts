import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LOCALES } from '#lib/contract/locales.ts'
import { EMBED_ERROR_CODES } from '#lib/contract/embed-protocol.ts'
import { TOKEN_NAMES } from '#lib/contract/theme-tokens.ts'

const text = readFileSync('docs/guides/embed.md', 'utf8')

test('the table has the theme tokens, and no others', () => {
  const table = text.slice(text.indexOf('| token '), text.indexOf('## When something is wrong'))
  const rows = table
    .split('\n')
    .flatMap((row) => Array.from(/^\|([^|]*)\|/.exec(row)?.[1]?.matchAll(/`([^`]+)`/g) ?? []))
  const documented = rows.map(([, name]) => name).sort()
  expect(documented).toEqual(TOKEN_NAMES.filter((name) => !name.endsWith('-dark')).sort())
})

test('every language and error code is named', () => {
  for (const word of [...LOCALES, ...EMBED_ERROR_CODES]) expect(text).toContain(`\`${word}\``)
})

test('the types for merchants name the same error codes', () => {
  const types = readFileSync('public/embed.d.ts', 'utf8')
  const declared = Array.from(
    types.slice(types.indexOf('CashierErrorCode')).matchAll(/^ {2}\| '(\w+)'$/gm),
    ([, code]) => code,
  )
  expect(declared).toEqual([...EMBED_ERROR_CODES])
})
