import { inspect, isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { HttpResponse } from './send-request.ts'

/** The gateway differs from the spec. */
export class ConformanceError extends Error {}

export function assertThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new ConformanceError(otherwise)
}

const shown = (value: unknown): string => inspect(value, { breakLength: Infinity }).slice(0, 300)

export function assertSame(actual: unknown, expected: unknown, what: string): void {
  assertThat(isDeepStrictEqual(actual, expected), `${what}: expected ${shown(expected)}, got ${shown(actual)}`)
}

export function assertStatus(answer: HttpResponse, ...expected: readonly number[]): void {
  assertThat(
    expected.includes(answer.status),
    `expected status ${expected.join(' or ')}, got ${answer.status}: ${answer.text.slice(0, 300)}`,
  )
}

/** The value, parsed by the spec's schema. */
export function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.infer<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`)
  throw new ConformanceError(`${what} is not as specified: ${faults.join('; ')}`)
}
