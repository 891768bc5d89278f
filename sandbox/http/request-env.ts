import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Incoming } from './incoming.ts'

/** The values in Hono's context: Node's request and response, and the request that was read. */
export interface RequestEnv {
  Bindings: HttpBindings
  Variables: { incoming: Incoming }
}

export type SandboxRequest = Context<RequestEnv>
