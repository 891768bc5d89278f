/** The members of an object, each made at its first use: a transaction uses few of the store's tables. */
export function lazily<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const members = {}
  for (const name of Object.keys(makers) as (keyof T)[]) {
    let made: { readonly value: T[keyof T] } | null = null
    Object.defineProperty(members, name, {
      enumerable: true,
      get: () => (made ??= { value: makers[name]() }).value,
    })
  }
  return members as T
}
