/** A word to the host from a page that carries no framework, such as the answer to a launch that was refused. */
import type { FrameMessage, Unsealed } from '#lib/contract/embed.ts'
import { inlineScript, type InlineScript } from './inline-script.ts'

/** Sent to the browser by its own source text, so it uses nothing from outside itself. */
function reportToHost(origins: readonly string[], message: Unsealed<FrameMessage>): void {
  try {
    const name: unknown = JSON.parse(window.name)
    if (typeof name !== 'object' || name === null || window.parent === window) return
    const { cashier, channel, origin } = name as Record<string, unknown>
    if (cashier !== 1 || typeof channel !== 'string' || typeof origin !== 'string' || !origins.includes(origin)) return
    window.parent.postMessage({ ...message, cashier: 1, channel }, origin)
  } catch {
    // No name of ours: nobody to tell.
  }
}

/**
 * A script that tells the host of `message` once. At top level, or in a frame that is not ours, it does nothing.
 * `embedOrigins`: whom it may tell.
 */
export const hostReport = (embedOrigins: readonly string[], message: Unsealed<FrameMessage>): InlineScript =>
  inlineScript(reportToHost, embedOrigins, message)
