import { previewResend, resendDeliveries } from '#lib/server/runtime/http/delivery-calls.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

/** How many an order with this filter would send. */
export const GET = operatorHandler('operate.redeliveries', { role: 'agent' }, previewResend)

export const POST = operatorHandler('operate.redeliveries', { role: 'agent', changes: true, audit: 'inside' }, (call) =>
  resendDeliveries(call, call.operator),
)
