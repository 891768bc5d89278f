import type { FrameMessage, Unsealed } from '#lib/contract/embed-protocol.ts'
import { findHost } from '../frame/frame-bridge.ts'

/**
 * Sends `message` to the host once, such as from the response to a refused launch. At top level, or in another site's
 * frame, it does nothing.
 * @param origins which may receive it
 */
export default function report(origins: readonly string[], message: Unsealed<FrameMessage>): void {
  findHost(window, origins)?.send(message)
}
