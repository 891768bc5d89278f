/** docs/reference/environment.md: every variable, from the schema that reads it. */
import type { z } from 'zod'
import { VARIABLE_MEANINGS } from '#lib/server/runtime/config/variable-meanings.ts'
import { defaultText, variables } from '#lib/server/runtime/config/variables.ts'
import { code, linked, paragraphs, markdownList, plain, WRITTEN } from './markdown.ts'

const HEAD = `# Environment

Environment variables configure the cashier. \`npm start\`, \`npm run dev\` and \`npm run doctor\` also read \`.env\` in the working directory; the real environment wins. [.env.example](../../.env.example) is a file to start from.

An empty variable counts as unset, and white space around a value is ignored. With a bad configuration the process prints all faults at once, never a value, and exits with 1.

In parentheses: what holds without the variable. In italics: what it may be, where that is more than \`on\` and \`off\`.`

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodType
}
const definitionOf = (schema: z.ZodType): Definition => schema.def

/** What stands in parentheses. */
function defaultOf(schema: z.ZodType, unset: string | undefined): string {
  const { type } = definitionOf(schema)
  const text = defaultText(schema)
  if (text !== null) return code(text)
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
    const allowed = allowedBy(schema)
    const form = allowed === 'on or off' ? '' : ` *${linked(plain(allowed))}*`
    return [`${code(name)} (${defaultOf(schema, unset)})`, `${is}.${form}`] as const
  })
  return paragraphs(WRITTEN, HEAD, markdownList(rows))
}
