import type { MerchantScope } from '#lib/contract/merchant-scopes.ts'
import type { MerchantCaller } from '../../merchant/merchant-caller.ts'
import type { Answer } from './answer.ts'
import { handler, type Call, type RouteHandler } from './route-handler.ts'

export interface MerchantRouteHandler extends RouteHandler {
  /** What the caller's key must be allowed to do. */
  readonly scope: MerchantScope
}

/**
 * The exported function of a route file of the merchant API: the endpoint is called only for a key with this scope.
 * @param route the route's name in metrics and log
 */
export function merchantHandler(
  route: string,
  scope: MerchantScope,
  endpoint: (call: Call, caller: MerchantCaller) => Promise<Answer>,
): MerchantRouteHandler {
  const checked = handler(route, async (call) =>
    endpoint(call, await call.app.requireMerchant(call.request.headers, scope)),
  )
  return Object.assign(checked, { scope })
}
