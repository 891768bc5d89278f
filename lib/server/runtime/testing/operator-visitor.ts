/** The calls of the console's page, by an operator who is signed in. */
import { randomUUID } from 'node:crypto'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import type { TestServer } from './test-server.ts'

export interface OperatorVisitor {
  readonly id: string
  readonly name: string
  readonly sessionId: string
  readonly cookie: string
  /** Makes a call like the page; a body is sent as JSON. An empty header is left out. */
  call(path: string, change?: OperatorCallChange): Promise<Response>
}

interface OperatorCallChange {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

type Server = Pick<TestServer, 'url' | 'config' | 'store' | 'app' | 'now'>

/** Makes an operator with a session whose passkey was just used. */
export async function operatorVisitor(
  server: Server,
  role: OperatorRole,
  name = `${role}-${randomUUID()}`,
): Promise<OperatorVisitor> {
  const { operators } = server.store
  const [id, sessionId, now] = [randomUUID(), randomUUID(), server.now]
  await operators.add({ id, name, name_key: name.toLowerCase(), role, created_ms: now, disabled_ms: null })
  await operators.addSession({
    id: sessionId,
    operator_id: id,
    created_ms: now,
    last_used_ms: now,
    touched_ms: now,
    ended_ms: null,
  })
  const sealed = await server.app.operatorCookie.seal(sessionId, 3600)
  const cookie = sealed.split(';', 1)[0] ?? ''
  return {
    id,
    name,
    sessionId,
    cookie,
    call(path, { method = 'GET', body, headers = {}, signal } = {}) {
      const usual: Record<string, string> = {
        cookie,
        ...(method !== 'GET' && { origin: server.config.publicUrl }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const sent = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== '')
      return fetch(server.url + path, {
        method,
        headers: Object.fromEntries(sent),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
    },
  }
}
