/** The exported function of a route file of the embedded view of deliveries. */
import type { Answer } from './answer.ts'
import { handler, type Call, type RouteHandler } from './route-handler.ts'

/** Who acts in the view: whom the merchant lets in there, we do not know. */
export const VIEW_OPERATOR = { id: 'delivery-view', name: "the merchant's delivery view" } as const

/** @param route the route's name in metrics and log */
export const deliveryViewHandler = (
  route: string,
  { changes = false }: { readonly changes?: boolean },
  endpoint: (call: Call) => Promise<Answer>,
): RouteHandler =>
  handler(route, async (call) => {
    await call.app.deliveryViewAuthenticator.authenticate(call.request.headers, changes)
    return endpoint(call)
  })
