import { expect, test } from 'vitest'
import { readEnvFile } from './env-file.ts'

test('a value that the parser cuts off inside a word is told, whole', () => {
  const text = 'DATABASE_URL=postgres://u:p@ss#1@host/db\nPORT=3000\nA=b##c # d\n'
  expect(readEnvFile(text)).toEqual({
    values: { DATABASE_URL: 'postgres://u:p@ss', PORT: '3000', A: 'b' },
    cut: { DATABASE_URL: 'postgres://u:p@ss#1@host/db', A: 'b##c' },
  })
})

test.each([
  ['a comment', '# a#b\n#c#d\nA=b # c#d\nB=#c\nC= #d'],
  ['quotes', `A="b#c"\nB='d#e' # f#g\nC=\`h#i\`\nD="j#k\nl#m=n#o"#p`],
  ['an empty file', ''],
])('%s cuts nothing off', (_what, text) => {
  expect(readEnvFile(text).cut).toEqual({})
})
