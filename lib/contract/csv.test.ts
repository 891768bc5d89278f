import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

const csvOf = (...cells: readonly string[]): string => csvLine(cells)

test('every cell is quoted', () => {
  expect(csvOf('1,5', 'say "x"')).toBe('"1,5","say ""x"""\r\n')
  expect(csvOf('a;b', 'plain\nline')).toBe('"a;b","plain\nline"\r\n')
})

test('no cell is a formula, for any separator of the spreadsheet', () => {
  expect(csvOf('=1+1', '@sum')).toContain('"\'=1+1","\'@sum"')
  expect(csvOf('-5', '-5+1', '+1', '-0.25')).toContain('"-5","\'-5+1","\'+1","-0.25"')
  for (const separator of [';', ',', '|', '\t', '\n', '\r'])
    expect(csvOf(`a${separator}=cmd()`), JSON.stringify(separator)).toContain(`${separator}'=cmd()`)
  expect(csvOf('a; =cmd()')).toContain("a; '=cmd()")
  expect(csvOf('a;"=cmd()')).toContain(`a;""'=cmd()`)
  expect(csvOf('2026-01-01', 'a+b')).toContain('"2026-01-01","a+b"')
})
