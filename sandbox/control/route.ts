import { z } from 'zod'
import type { Context } from '../context.ts'

export type Params = Readonly<Record<string, string>>

/** A control route. `input` is the query of a GET, and the JSON body of other methods. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/control`. Segments that begin with a colon are parameters. */
  readonly path: string
  readonly about: string
  readonly input: z.ZodType
  readonly run: (input: unknown, params: Params, context: Context) => unknown
}

/** A route whose input is parsed first. @throws ZodError for invalid input */
export function route<Input extends z.ZodType>(
  method: ControlRoute['method'],
  path: string,
  about: string,
  input: Input,
  run: (input: z.infer<Input>, params: Params, context: Context) => unknown,
): ControlRoute {
  return { method, path, about, input, run: (given, params, context) => run(input.parse(given), params, context) }
}

export const noInput = z.strictObject({})

/** A number in a query. */
export const limit = z.coerce.number().int().min(1).max(100_000)
