/** docs/reference/environment.md: every variable, from the schema that reads it. */
import type { z } from 'zod'
import { VARIABLE_MEANINGS } from '#lib/server/runtime/config/variable-meanings.ts'
import { variables } from '#lib/server/runtime/config/variables.ts'
import { code, linked, paragraphs, plain, markdownTable, WRITTEN } from './markdown.ts'

const HEAD = `# Environment

Environment variables configure the cashier. \`npm start\`, \`npm run dev\` and \`npm run doctor\` also read \`.env\` in the working directory; the real environment wins. [.env.example](../../.env.example) is a file to start from.

An empty variable counts as unset, and white space around a value is ignored. Commas separate the items of a list. If the configuration is invalid, the process prints all faults at once, never a value, and exits with 1.`

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly defaultValue?: unknown
}
const definitionOf = (schema: z.ZodType): Definition => schema.def

/** The text of the column "default". */
function defaultOf(schema: z.ZodType, unset: string | undefined): string {
  const { type, defaultValue } = definitionOf(schema)
  if (type === 'prefault' && defaultValue !== '') return code(String(defaultValue))
  if (type !== 'prefault' && type !== 'optional') return '**required**'
  if (unset === undefined) throw new RangeError('variable-meanings.ts lacks the default of an optional variable')
  return unset
}

const allowedBy = (schema: z.ZodType): string => definitionOf(schema).innerType?.description ?? schema.description ?? ''

export function environmentPage(): string {
  const shape: Readonly<Record<string, z.ZodType>> = variables(() => '').shape
  const rows = Object.entries(VARIABLE_MEANINGS).map(([name, { is, unset }]) => {
    const schema = shape[name]
    if (schema === undefined) throw new RangeError(`variables.ts lacks ${name}`)
    return [code(name), is, linked(plain(allowedBy(schema))), defaultOf(schema, unset)]
  })
  return paragraphs(WRITTEN, HEAD, markdownTable(['variable', 'is', 'allowed', 'default'], rows))
}
