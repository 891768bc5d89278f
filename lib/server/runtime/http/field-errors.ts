import type * as z from 'zod/mini'

/** The faults by field; `body` is the whole body. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  object: 'an object',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
}

const entries = (count: number | bigint): string => `${count} ${Number(count) === 1 ? 'entry' : 'entries'}`

/** Messages for schemas without their own: the library's messages never reach a caller. */
export const ownWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`
  if (issue.code === 'too_small' && issue.origin === 'array') return `must have at least ${entries(issue.minimum)}`
  if (issue.code === 'too_big' && issue.origin === 'array') return `must have at most ${entries(issue.maximum)}`
  return 'is not valid'
}

type Issue = z.core.$ZodIssue

/**
 * For a choice of shapes: the faults of the only shape that has all of the body's fields; none if several or no shapes
 * do.
 */
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

/** Array entries are named with their index: `cursors.0`. */
export function fieldErrors(error: z.core.$ZodError): FieldErrors {
  // Without a prototype, since a field may be named like one of its members.
  const fields = Object.create(null) as Record<string, string[]>
  for (const issue of plainIssues(error.issues)) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.map(String).join('.') || 'body']
    const message = issue.code === 'unrecognized_keys' ? 'is not a field of this request' : issue.message
    for (const name of names) (fields[name] ??= []).push(message)
  }
  return fields
}
