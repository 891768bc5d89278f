import { ROUTE_NAMES, ROUTE_PATHS, type RouteName } from '../route-names.ts'

interface Pattern {
  readonly name: RouteName
  readonly parts: readonly string[]
}

const PATTERNS: readonly Pattern[] = ROUTE_NAMES.filter((name) => name !== 'not-found').map((name) => ({
  name,
  parts: ROUTE_PATHS[name].split('/'),
}))

const fits = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))

/** The route that answers a path; null where the path is a page's or a file's. One slash at the end is forgiven. */
export function matchRoute(pathname: string): RouteName | null {
  const parts = pathname.replace(/(?<=.)\/$/, '').split('/')
  const found = PATTERNS.find((pattern) => fits(pattern.parts, parts))
  if (found) return found.name
  return parts[1] === 'api' ? 'not-found' : null
}

/** The values of a route's `:name` parts, decoded; a part that cannot be decoded stays as it is. */
export function pathValues(name: RouteName, pathname: string): Readonly<Record<string, string>> {
  const parts = pathname.split('/')
  const values: Record<string, string> = {}
  for (const [at, part] of ROUTE_PATHS[name].split('/').entries()) {
    if (part.startsWith(':')) values[part.slice(1)] = decoded(parts[at] ?? '')
  }
  return values
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
