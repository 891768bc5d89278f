import type { Endpoints } from '../http/handler.ts'
import { requireBearer } from '../http/bearer.ts'
import type { Metrics } from '../metrics.ts'

/** `GET /api/metrics`: Prometheus text. @param token null: open */
export function metricsRoute(metrics: Pick<Metrics, 'text' | 'contentType'>, token: string | null): Endpoints {
  const admit = token === null ? () => undefined : requireBearer([token])
  const show = async ({ request }: { readonly request: Request }): Promise<Response> => {
    admit(request.headers)
    return new Response(await metrics.text(), {
      headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' },
    })
  }
  return { GET: show, HEAD: show }
}
