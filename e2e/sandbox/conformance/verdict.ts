import { inspect, isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Answer } from './wire.ts'

/** A way in which the gateway is not as the spec says. */
export class Departure extends Error {}

export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Departure(otherwise)
}

const shown = (value: unknown): string => inspect(value, { breakLength: Infinity }).slice(0, 300)

export function same(actual: unknown, expected: unknown, what: string): void {
  must(isDeepStrictEqual(actual, expected), `${what}: expected ${shown(expected)}, got ${shown(actual)}`)
}

export function status(answer: Answer, ...expected: readonly number[]): void {
  must(
    expected.includes(answer.status),
    `expected status ${expected.join(' or ')}, got ${answer.status}: ${answer.text.slice(0, 300)}`,
  )
}

/** The value in the shape that the spec gives it. */
export function shaped<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.infer<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`)
  throw new Departure(`${what} is not as specified: ${faults.join('; ')}`)
}
