import { forward } from '#lib/server/runtime/forward.ts'

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = forward('cashier.onramp-sessions')
