/** The parameters of a payment URI. */

export type UriQuery = ReadonlyMap<string, readonly string[]>

/** Values by name in lower case; null if the text is not encoded as a query. */
export function readQuery(text: string): UriQuery | null {
  const pairs = text.split('&').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return name === '' ? [] : [[name.toLowerCase(), value.join('=')] as const]
  })
  try {
    const decoded = pairs.map(([name, value]) => [name, decodeURIComponent(value)] as const)
    const groups = Map.groupBy(decoded, ([name]) => name)
    return new Map([...groups].map(([name, values]) => [name, values.map(([, value]) => value)] as const))
  } catch {
    return null
  }
}

/** Null if the parameter is missing or repeated. */
export const only = (query: UriQuery, name: string): string | null => {
  const [value, ...more] = query.get(name) ?? []
  return value !== undefined && more.length === 0 ? value : null
}

const TAG_NAMES = ['dt', 'tag', 'memo', 'memoid', 'memo_id', 'destinationtag', 'destination_tag'] as const

/** The destination tag or memo. */
export const tagOf = (query: UriQuery | null): string | null =>
  (query && TAG_NAMES.map((name) => only(query, name)).find((value) => value !== null && value !== '')) ?? null
