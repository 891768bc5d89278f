import type { FrameMessage, Unsealed } from '#lib/contract/embed-protocol.ts'
import { findHost } from '../frame/frame-bridge.ts'

/**
 * Sends one `message` to the host, for example from the page for a refused launch. Outside a frame, or in another
 * site's frame, it does nothing.
 * @param origins origins that may receive it
 */
export default function report(origins: readonly string[], message: Unsealed<FrameMessage>): void {
  findHost(window, origins)?.send(message)
}
