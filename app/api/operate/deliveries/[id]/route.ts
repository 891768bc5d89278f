import { readDelivery } from '#lib/server/runtime/http/delivery-calls.ts'
import { operatorHandler } from '#lib/server/runtime/http/operator-handler.ts'

export const GET = operatorHandler('operate.delivery', { role: 'viewer' }, (call) => readDelivery(call, call.operator))
