import { Problem } from '#lib/contract/problems.ts'

/** The values of a query: a name that stands twice has no single value, so it is refused. */
export function singleValues<const N extends string>(
  query: URLSearchParams,
  names: readonly N[],
): Partial<Record<N, string>> {
  const values: Partial<Record<N, string>> = {}
  for (const name of names) {
    const [value, ...more] = query.getAll(name)
    if (more.length > 0) {
      throw new Problem('invalid_request', `Not valid: ${name}.`, { errors: { [name]: ['must stand once'] } })
    }
    if (value !== undefined) values[name] = value
  }
  return values
}
