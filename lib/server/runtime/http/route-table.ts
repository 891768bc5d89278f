/** The table of the routes that `server.ts` answers natively, made from the route files of `app/`. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RouteHandler, RouteInfo } from './route-handler.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Method = (typeof METHODS)[number]

export interface Route extends RouteInfo {
  /** The path with its dynamic segments as `[name]`; `[[...name]]` at the end takes any rest. */
  readonly path: string
  readonly handlers: Readonly<Partial<Record<Method, RouteHandler>>>
  /** For the header `Allow`. */
  readonly allow: string
}

export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

export interface RouteTable {
  readonly routes: readonly Route[]
  /** Null if the path belongs to a page or a file. A slash at the end is ignored. */
  match(pathname: string): Match | null
}

const DYNAMIC = /^\[(\w+)\]$/
const CATCH_ALL = /^\[\[\.\.\.\w+\]\]$/

/** `app/api/health/live/route.ts` is `/api/health/live`. */
const pathOf = (file: string): string => `/${file.replace(/\/?route\.ts$/, '')}`

async function loadRoute(folder: string, file: string): Promise<Route> {
  const exported = (await import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href)) as Route['handlers']
  const methods = METHODS.filter((method) => exported[method] !== undefined)
  const first = exported[methods[0] ?? 'GET']
  if (first === undefined) throw new Error(`${file} exports no method`)
  return {
    path: pathOf(file),
    route: first.route,
    kind: first.kind,
    handlers: Object.fromEntries(methods.map((method) => [method, exported[method]])),
    allow: methods.join(', '),
  }
}

/** @param folder the absolute path of `app/` */
export async function loadRoutes(folder: string): Promise<RouteTable> {
  const files = globSync('**/route.ts', { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
  return routeTable(await Promise.all(files.toSorted().map((file) => loadRoute(folder, file))))
}

function routeTable(routes: readonly Route[]): RouteTable {
  const fixed = new Map<string, Route>()
  const dynamic: { readonly route: Route; readonly segments: readonly string[] }[] = []
  const catchAll: { readonly route: Route; readonly prefix: string }[] = []
  for (const route of routes) {
    const segments = route.path.split('/')
    if (CATCH_ALL.test(segments.at(-1) ?? '')) catchAll.push({ route, prefix: segments.slice(0, -1).join('/') })
    else if (segments.some((segment) => DYNAMIC.test(segment))) dynamic.push({ route, segments })
    else fixed.set(route.path, route)
  }
  return {
    routes,
    match(pathname) {
      const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
      const exact = fixed.get(path)
      if (exact) return { route: exact, params: {} }
      const parts = path.split('/')
      for (const { route, segments } of dynamic) {
        const params = paramsIn(segments, parts)
        if (params) return { route, params }
      }
      const rest = catchAll.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
      return rest ? { route: rest.route, params: {} } : null
    },
  }
}

/** Null if the path does not match. */
function paramsIn(segments: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (segments.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const part = parts[at] ?? ''
    const name = DYNAMIC.exec(segment)?.[1]
    if (name === undefined ? segment !== part : part === '') return null
    if (name !== undefined) params[name] = decoded(part)
  }
  return params
}

/** An undecodable segment stays unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
