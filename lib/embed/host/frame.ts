/** One iframe and its message channel, for one session. */
import { EMBED_VERSION } from '#lib/contract/embed-limits.ts'
import type { FrameMessage, FrameName, HostMessage, Unsealed } from '#lib/contract/embed-protocol.ts'
import type { CashierAppearance } from '../../../public/embed.d.ts'
import { readFrameMessage } from './read-frame-message.ts'

/**
 * For identity checks and payments in the provider's frame, and for copying, pasting and sharing an address in ours.
 */
const ALLOW = [
  'camera',
  'microphone',
  'payment',
  'clipboard-read',
  'clipboard-write',
  'web-share',
  'accelerometer',
  'gyroscope',
  'autoplay',
  'encrypted-media',
].join('; ')

export interface Frame {
  readonly element: HTMLIFrameElement
  send(message: Unsealed<HostMessage>): void
  /** The message in the event; null if it is not from this frame. */
  read(event: MessageEvent<unknown>): FrameMessage | null
}

const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** @param origin the cashier's @param takes what the frame hands over */
export function createFrame(origin: string, appearance: CashierAppearance, takes: readonly ('file' | 'link')[]): Frame {
  const channel = randomHex(16)
  const name: FrameName = { cashier: EMBED_VERSION, channel, origin: location.origin, ...appearance }
  if (takes.length > 0) name.takes = [...takes]
  const element = document.createElement('iframe')
  element.name = JSON.stringify(name)
  element.title = 'Cashier'
  element.allow = ALLOW
  // Tells the cashier's log who may not frame it, whatever the page's own policy.
  element.referrerPolicy = 'strict-origin'
  // Set as properties: a policy without 'unsafe-inline' blocks a style attribute.
  element.style.display = 'block'
  element.style.width = '100%'
  element.style.border = '0'
  element.src = `${origin}/embed`

  return {
    element,
    send: (message) => element.contentWindow?.postMessage({ ...message, cashier: EMBED_VERSION, channel }, origin),
    read: (event) =>
      event.origin === origin && event.source !== null && event.source === element.contentWindow
        ? readFrameMessage(event.data, channel)
        : null,
  }
}
