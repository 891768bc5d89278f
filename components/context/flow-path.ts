import type { Flow } from '#lib/contract/cashier.ts'

export const flowPath = (sessionId: string, flow: Flow): string => `/c/${sessionId}/${flow}`
