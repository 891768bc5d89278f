/** One iframe with its channel. It lives as long as a session, or until the merchant's page has had enough. */
import type { FrameMessage, FrameName, HostMessage, Unsealed } from '#lib/contract/embed.ts'
import type { CashierLooks } from '../../public/embed.d.ts'
import { readFrameMessage } from './read-frame-message.ts'

/** Before the content says how high it is. Near the first screen's height, so that little moves. */
const FIRST_HEIGHT = '560px'

export interface Frame {
  readonly element: HTMLIFrameElement
  tell(message: Unsealed<HostMessage>): void
  /** What this frame says in the event, or null where it is not from this frame. */
  read(event: MessageEvent<unknown>): FrameMessage | null
}

const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** @param origin the cashier's */
export function createFrame(origin: string, looks: CashierLooks): Frame {
  const channel = randomHex(16)
  const name: FrameName = { cashier: 1, channel, origin: location.origin, ...looks }
  const element = document.createElement('iframe')
  element.name = JSON.stringify(name)
  element.title = 'Cashier'
  element.allow = 'camera; microphone; payment; clipboard-write'
  // Property by property: a policy without 'unsafe-inline' refuses a style attribute, and not this.
  element.style.display = 'block'
  element.style.width = '100%'
  element.style.height = FIRST_HEIGHT
  element.style.border = '0'
  element.src = `${origin}/embed`

  return {
    element,
    tell: (message) => element.contentWindow?.postMessage({ ...message, cashier: 1, channel }, origin),
    read: (event) =>
      event.origin === origin && event.source !== null && event.source === element.contentWindow
        ? readFrameMessage(event.data, channel)
        : null,
  }
}
