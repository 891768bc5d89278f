import type * as z from 'zod/mini'

/** What is wrong, by field; `body` stands for the whole. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  object: 'an object',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
}

const entries = (count: number | bigint): string => `${count} ${Number(count) === 1 ? 'entry' : 'entries'}`

/** What is said where a schema has no words of its own: none of the library's reach a caller. */
export const ownWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`
  if (issue.code === 'too_small' && issue.origin === 'array') return `must have at least ${entries(issue.minimum)}`
  if (issue.code === 'too_big' && issue.origin === 'array') return `must have at most ${entries(issue.maximum)}`
  return 'is not valid'
}

type Issue = z.core.$ZodIssue

/** Of a choice of shapes: the faults by the one shape that has all of the body's fields; none where that is not just one. */
function faultsOfShape(issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] {
  const [meant, ...others] = issue.errors.filter((faults) => !faults.some(({ code }) => code === 'unrecognized_keys'))
  if (meant === undefined || others.length > 0) return []
  return meant.map((fault) => ({ ...fault, path: [...issue.path, ...fault.path] }))
}

const plainIssues = (issues: readonly Issue[]): readonly Issue[] =>
  issues.flatMap((issue) => {
    const faults = issue.code === 'invalid_union' ? faultsOfShape(issue) : []
    return faults.length > 0 ? faults : [issue]
  })

/** An entry of an array is named with its index: `cursors.0`. */
export function fieldErrors(error: z.core.$ZodError): FieldErrors {
  // Without a prototype: a field may have the name of one of its members.
  const fields = Object.create(null) as Record<string, string[]>
  for (const issue of plainIssues(error.issues)) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.map(String).join('.') || 'body']
    const message = issue.code === 'unrecognized_keys' ? 'is not a field of this request' : issue.message
    for (const name of names) (fields[name] ??= []).push(message)
  }
  return fields
}
