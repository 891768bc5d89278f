import { expect, test } from 'vitest'
import { anchorOf, anchorsOf, rowsUnder } from './read-markdown.ts'

const TEXT = `# One

| a | b |
| - | - |
| \`x\` | 1 \\| 2 |

\`\`\`
# not a heading
| not | a row |
\`\`\`

## Two

| a |
| - |
| y |

- \`z\`, \`a: b\`: 1: 2
- no name

## Two
`

test('rows are those of tables and lists in the section, without heads and without blocks of code', () => {
  expect(rowsUnder(TEXT, 'One')).toEqual([['`x`', '1 \\| 2']])
  expect(rowsUnder(TEXT, 'Two')).toEqual([['y'], ['`z`, `a: b`', '1: 2']])
  expect(() => rowsUnder(TEXT, 'not a heading')).toThrow('no heading')
})

test('anchors match those of GitHub', () => {
  expect(anchorOf('`Cashier.mount` & `/embed` page')).toBe('cashiermount--embed-page')
  expect(anchorOf("Events for the merchant's page")).toBe('events-for-the-merchants-page')
  expect([...anchorsOf(TEXT)]).toEqual(['one', 'two', 'two-1'])
})
