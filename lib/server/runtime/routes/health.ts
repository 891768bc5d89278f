import { Problem } from '#lib/contract/problems.ts'
import type { Endpoints } from '../http/handler.ts'
import { jsonResponse } from '../http/problem-response.ts'

/** `GET /api/health/live`: 200 while the process runs. */
export function healthLive(): Endpoints {
  const live = (): Promise<Response> => Promise.resolve(jsonResponse(200, { status: 'live' }))
  return { GET: live, HEAD: live }
}

/** What is not ready, by name, and why; empty where all is. */
export type Readiness = () => Promise<Readonly<Record<string, readonly string[]>>>

/** `GET /api/health/ready`: 503 names in `errors` what is not ready. */
export function healthReady(readiness: Readiness): Endpoints {
  const ready = async (): Promise<Response> => {
    const errors = await readiness()
    const names = Object.keys(errors)
    if (names.length > 0) throw new Problem('store_unavailable', `Not ready: ${names.join(', ')}.`, { errors })
    return jsonResponse(200, { status: 'ready' })
  }
  return { GET: ready, HEAD: ready }
}
