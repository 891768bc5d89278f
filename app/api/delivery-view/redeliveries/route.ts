import { previewResend, resendDeliveries } from '#lib/server/runtime/http/delivery-calls.ts'
import { deliveryViewHandler, VIEW_OPERATOR } from '#lib/server/runtime/http/delivery-view-handler.ts'

export const GET = deliveryViewHandler('delivery_view.redeliveries', {}, previewResend)

export const POST = deliveryViewHandler('delivery_view.redeliveries', { changes: true }, (call) =>
  resendDeliveries(call, VIEW_OPERATOR),
)
