import { listDeliveries } from '#lib/server/runtime/http/delivery-calls.ts'
import { deliveryViewHandler, VIEW_OPERATOR } from '#lib/server/runtime/http/delivery-view-handler.ts'

export const GET = deliveryViewHandler('delivery_view.deliveries', {}, (call) => listDeliveries(call, VIEW_OPERATOR))
