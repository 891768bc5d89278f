type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns a copy of a JSON value with `change` applied at a path; `*` is every element of an array.
 * Values that the path does not reach are unchanged; `undefined` removes a field.
 */
export function changedAt(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return change(value)
  if (step === '*') return Array.isArray(value) ? value.map((element) => changedAt(element, rest, change)) : value
  return isObject(value) ? { ...value, [step]: changedAt(value[step], rest, change) } : value
}

export const textAt = (value: unknown, ...path: readonly string[]): string | null => {
  const found = path.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), value)
  return typeof found === 'string' ? found : null
}
