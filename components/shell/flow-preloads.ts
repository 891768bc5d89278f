import type { Flow } from '#lib/contract/cashier.ts'

type Preloads = Readonly<Record<Flow, () => void>>

let preloads: Preloads | null = null

/** Says how the code of each flow is loaded; who makes the screens knows (app/c/[session]/flow-screens.tsx). */
export const setFlowPreloads = (next: Preloads): void => {
  preloads = next
}

/** Loads the code of a flow in advance. */
export const preloadFlow = (flow: Flow): void => preloads?.[flow]()
