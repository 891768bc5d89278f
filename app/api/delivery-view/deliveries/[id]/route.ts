import { readDelivery } from '#lib/server/runtime/http/delivery-calls.ts'
import { deliveryViewHandler, VIEW_OPERATOR } from '#lib/server/runtime/http/delivery-view-handler.ts'

export const GET = deliveryViewHandler('delivery_view.delivery', {}, (call) => readDelivery(call, VIEW_OPERATOR))
