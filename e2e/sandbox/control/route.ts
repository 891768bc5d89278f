import { z } from 'zod'
import type { Context } from '../context.ts'

export type Params = Readonly<Record<string, string>>

/** A control route. `input` is the query of a GET and the JSON body of everything else. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Segments that begin with a colon are parameters. */
  readonly path: string
  readonly about: string
  readonly run: (input: unknown, params: Params, context: Context) => unknown
}

/** Puts a schema before a handler; input that does not fit throws a `ZodError`. */
export function route<Input extends z.ZodType>(
  method: ControlRoute['method'],
  path: string,
  about: string,
  input: Input,
  run: (input: z.infer<Input>, params: Params, context: Context) => unknown,
): ControlRoute {
  return { method, path, about, run: (given, params, context) => run(input.parse(given), params, context) }
}

export const nothing = z.strictObject({})

/** A number in a query. */
export const limit = z.coerce.number().int().min(1).max(100_000)

/** The parameters when the path fits the route, else null. */
export function paramsOf(pattern: string, path: string): Params | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [at, segment] of wanted.entries()) {
    const value = decodeURIComponent(given[at] ?? '')
    if (segment.startsWith(':')) params[segment.slice(1)] = value
    else if (segment !== value) return null
  }
  return params
}
