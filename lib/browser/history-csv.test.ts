import { expect, test } from 'vitest'
import { toCsv } from './history-csv.ts'

const csvOf = (...cells: readonly string[]): string => toCsv(['a', 'b'], [cells])

test('every cell is quoted', () => {
  expect(csvOf('1,5', 'say "x"')).toBe('\ufeff"a","b"\r\n"1,5","say ""x"""\r\n')
  expect(csvOf('a;b', 'plain\nline')).toBe('\ufeff"a","b"\r\n"a;b","plain\nline"\r\n')
})

test('no cell is a formula, for any separator of the spreadsheet', () => {
  expect(csvOf('=1+1', '@sum')).toContain('"\'=1+1","\'@sum"')
  expect(csvOf('-5', '+1')).toContain('"\'-5","\'+1"')
  for (const separator of [';', ',', '|', '\t', '\n', '\r'])
    expect(csvOf(`a${separator}=cmd()`), JSON.stringify(separator)).toContain(`${separator}'=cmd()`)
  expect(csvOf('a; =cmd()')).toContain("a; '=cmd()")
  expect(csvOf('a;"=cmd()')).toContain(`a;""'=cmd()`)
  expect(csvOf('2026-01-01', 'a+b')).toContain('"2026-01-01","a+b"')
})
