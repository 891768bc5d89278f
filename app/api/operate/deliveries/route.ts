import { listDeliveries } from '#lib/server/runtime/http/delivery-calls.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.deliveries', { role: 'viewer' }, (call) =>
  listDeliveries(call, call.operator),
)
