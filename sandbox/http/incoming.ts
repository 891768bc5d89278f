import type { IncomingMessage } from 'node:http'

/** A request that was read completely. `path` and `query` are not decoded; `query` has no question mark. */
export interface Incoming {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  readonly body: Buffer
}

const LARGEST_BODY = 1_048_576

/** Null when the body is over 1 MiB. */
export async function readIncoming(request: IncomingMessage): Promise<Incoming | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= LARGEST_BODY) chunks.push(chunk)
  }
  if (size > LARGEST_BODY) return null
  const [path = '/', ...rest] = (request.url ?? '/').split('?')
  return {
    method: request.method ?? 'GET',
    path,
    query: rest.join('?'),
    headers: request.headersDistinct,
    body: Buffer.concat(chunks),
  }
}

export const headerOf = ({ headers }: Incoming, name: string): string => headers[name]?.[0] ?? ''

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body as a JSON object; empty for no body, null for anything else. */
export function jsonObject({ body }: Incoming): Readonly<Record<string, unknown>> | null {
  if (body.length === 0) return {}
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
