/** Reports to the host from a page without a framework, such as the response to a refused launch. */
import type { FrameMessage, Unsealed } from '#lib/contract/embed-protocol.ts'
import { inlineScript, type InlineScript } from './inline-script.ts'

/** Sent to the browser as its own source text, so it uses nothing from outside itself. */
function reportToHost(origins: readonly string[], message: Unsealed<FrameMessage>): void {
  try {
    const name: unknown = JSON.parse(window.name)
    if (typeof name !== 'object' || name === null || window.parent === window) return
    const { cashier, channel, origin } = name as Record<string, unknown>
    if (cashier !== 1 || typeof channel !== 'string' || typeof origin !== 'string' || !origins.includes(origin)) return
    window.parent.postMessage({ ...message, cashier: 1, channel }, origin)
  } catch {
    // Not a frame of our script.
  }
}

/**
 * A script that sends `message` to the host once. At top level, or in another site's frame, it does nothing.
 * `embedOrigins`: the origins that may receive it.
 */
export const hostReport = (embedOrigins: readonly string[], message: Unsealed<FrameMessage>): InlineScript =>
  inlineScript(reportToHost, embedOrigins, message)
