/** The frame's side of the embed protocol (`lib/contract/embed-protocol.ts`), for all code in the frame. */
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
  readonly send: Send
  /** `height` of the whole content in CSS pixels. */
  readonly resize: (height: number) => void
  readonly listen: (listener: (message: HostMessage) => void) => () => void
}

type Send = (message: Unsealed<FrameMessage>) => void

interface Host {
  readonly name: FrameName
  readonly send: Send
}

/** The merchant's page around this frame. Null outside a frame, and in a frame on an unknown origin. */
export function findHost(window: FrameWindow, embedOrigins: readonly string[]): Host | null {
  const { parent } = window
  const name = (parent as unknown) === window ? null : readFrameName(window.name, embedOrigins)
  if (!name) return null
  return {
    name,
    send: (message) => parent.postMessage({ cashier: EMBED_VERSION, channel: name.channel, ...message }, name.origin),
  }
}

/** Null without a host: the frame then sends nothing and reads no message. */
export function openFrameBridge(window: FrameWindow, embedOrigins: readonly string[]): FrameBridge | null {
  const host = findHost(window, embedOrigins)
  if (!host) return null
  const { name, send } = host
  const sender = { window: window.parent, name }
  return {
    appearance: { ...(name.locale && { locale: name.locale }), ...(name.theme && { theme: name.theme }) },
    send,
    resize: (height) => send({ type: 'resize', height: Math.min(Math.max(1, Math.ceil(height)), MAX_FRAME_HEIGHT) }),
    listen: (listener) => {
      const receive = (event: MessageEvent<unknown>): void => {
        const message = readHostMessage(event, sender)
        if (message) listener(message)
      }
      window.addEventListener('message', receive)
      return () => window.removeEventListener('message', receive)
    },
  }
}

/** Reports the height of the page's content now and after each change. Returns a function that stops the reports. */
export function reportHeight({ resize }: Pick<FrameBridge, 'resize'>): () => void {
  const { body } = document
  const observer = new ResizeObserver(() => {
    const { width, height } = body.getBoundingClientRect()
    // A frame that the merchant's page hides has no size, or only a part of its size for a moment.
    if (window.innerWidth > 0 && width > 0 && height > 0) resize(height)
  })
  observer.observe(body)
  return () => observer.disconnect()
}
