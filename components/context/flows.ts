/** The paths of the flows, and how their code is loaded. */
import type { Flow } from '#lib/contract/cashier.ts'

export const flowPath = (sessionId: string, flow: Flow): string => `/c/${sessionId}/${flow}`

let preload: (flow: Flow) => void = () => undefined

/** Sets how the code of a flow is loaded. Called by app/c/[session]/flow-screens.tsx, which renders the flows. */
export const setFlowPreload = (next: (flow: Flow) => void): void => {
  preload = next
}

/** Loads the code of a flow in advance. */
export const preloadFlow = (flow: Flow): void => preload(flow)
