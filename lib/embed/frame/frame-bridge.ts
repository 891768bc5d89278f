/** The page's side of the embed protocol (`lib/contract/embed-protocol.ts`). */
import { EMBED_VERSION, MAX_FRAME_HEIGHT } from '#lib/contract/embed-limits.ts'
import type { FrameMessage, FrameName, HostMessage, Unsealed } from '#lib/contract/embed-protocol.ts'
import { readFrameName, readHostMessage } from './read-host-message.ts'

/** The parts of a window that the bridge uses. */
export interface FrameWindow {
  readonly name: string
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void }
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
}

export interface FrameBridge {
  /** Language and theme that the merchant's page gave when it made the frame. */
  readonly appearance: Pick<FrameName, 'locale' | 'theme'>
  readonly send: (message: Unsealed<FrameMessage>) => void
  /** `height` of the whole content in CSS pixels. */
  readonly resize: (height: number) => void
  readonly listen: (listener: (message: HostMessage) => void) => () => void
}

/** Null at top level, and in a frame of an unknown origin: then nothing is sent and no message is read. */
export function openFrameBridge(window: FrameWindow, embedOrigins: readonly string[]): FrameBridge | null {
  if ((window.parent as unknown) === window) return null
  const name = readFrameName(window.name, embedOrigins)
  if (!name) return null
  const host = { window: window.parent, name }
  const send = (message: Unsealed<FrameMessage>): void =>
    window.parent.postMessage({ cashier: EMBED_VERSION, channel: name.channel, ...message }, name.origin)
  return {
    appearance: { ...(name.locale && { locale: name.locale }), ...(name.theme && { theme: name.theme }) },
    send,
    resize: (height) => send({ type: 'resize', height: Math.min(Math.max(1, Math.ceil(height)), MAX_FRAME_HEIGHT) }),
    listen: (listener) => {
      const receive = (event: MessageEvent<unknown>): void => {
        const message = readHostMessage(event, host)
        if (message) listener(message)
      }
      window.addEventListener('message', receive)
      return () => window.removeEventListener('message', receive)
    },
  }
}
