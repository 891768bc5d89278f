/**
 * `<!-- code: NAME -->` in a document shows a function of each backend in examples/backends, as tabs by language. The
 * code is that of the tested files.
 */
import { readFileSync } from 'node:fs'

export interface CodeTab {
  readonly label: string
  readonly code: string
}

interface Backend {
  readonly label: string
  readonly file: string
  /** Whether a line ends what begins at a line with this indentation. */
  readonly ends: (line: string, indentation: string) => boolean
}

const BACKENDS: readonly Backend[] = [
  {
    label: 'Node',
    file: 'node/backend.mjs',
    ends: (line, indentation) => [`${indentation}}`, `${indentation}},`].includes(line),
  },
  { label: 'Python', file: 'python/backend.py', ends: (line) => line === '' },
  { label: 'PHP', file: 'php/backend.php', ends: (line, indentation) => line === `${indentation}}` },
  { label: 'Go', file: 'go/main.go', ends: (line, indentation) => line === `${indentation}}` },
  { label: 'Ruby', file: 'ruby/backend.rb', ends: (line, indentation) => line === `${indentation}end` },
]

/** How each part begins: the Node example verifies by the library crypto-cashier-server. */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  verified: ['def verified(', 'function verified(', 'func verified(', "'POST /webhook':"],
  apply: ['def apply(', 'function apply(', 'func apply('],
  authorize: ['def authorize(', 'function authorize(', 'func authorize('],
}

/** @throws RangeError for an unknown name, and for a backend that lacks the part */
export function backendCode(name: string): readonly CodeTab[] {
  const beginnings = BEGINNINGS[name]
  if (beginnings === undefined) throw new RangeError(`no part ${name}: one of ${Object.keys(BEGINNINGS).join(', ')}`)
  return BACKENDS.map(({ label, file, ends }) => {
    const lines = readFileSync(`examples/backends/${file}`, 'utf8').split('\n')
    const from = lines.findIndex((line) => beginnings.some((begin) => line.trimStart().startsWith(begin)))
    const first = lines[from]
    if (first === undefined) throw new RangeError(`examples/backends/${file} has no ${name}`)
    const indentation = first.slice(0, first.length - first.trimStart().length)
    const length = lines.slice(from).findIndex((line) => ends(line, indentation)) + 1
    const part = lines.slice(from, from + length)
    return {
      label,
      code: part
        .map((line) => line.slice(indentation.length))
        .join('\n')
        .trimEnd(),
    }
  })
}
