import { expect, test } from 'vitest'
import { toCsv } from './history-csv.ts'

test('CSV quotes what needs it and lets no cell be a formula', () => {
  expect(
    toCsv(
      ['a', 'b'],
      [
        ['1,5', 'say "x"'],
        ['=1+1', '@sum'],
        ['-5', 'plain\nline'],
      ],
    ),
  ).toBe('\ufeffa,b\r\n"1,5","say ""x"""\r\n\'=1+1,\'@sum\r\n\'-5,"plain\nline"\r\n')
})
