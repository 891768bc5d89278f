'use client'

import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { openFrameBridge, reportHeight, type FrameBridge } from '#lib/embed/frame/frame-bridge.ts'

const FrameContext = createContext<FrameBridge | null>(null)

/** Connection to the merchant's page around this frame; null outside a frame and until it is open. */
export const useFrame = (): FrameBridge | null => use(FrameContext)

/** In a frame: opens the frame bridge, answers its pings, and reports the height of the content. */
export function FrameProvider({
  embedOrigins,
  children,
}: {
  readonly embedOrigins: readonly string[]
  readonly children: ReactNode
}) {
  const [frame, setFrame] = useState<FrameBridge | null>(null)
  useEffect(() => {
    // After the first render, which must equal the server's.
    queueMicrotask(() => setFrame(openFrameBridge(window, embedOrigins)))
  }, [embedOrigins])
  useEffect(() => frame?.listen(({ type }) => type === 'ping' && frame.send({ type: 'pong' })), [frame])
  useEffect(() => (frame ? reportHeight(frame) : undefined), [frame])
  return <FrameContext value={frame}>{children}</FrameContext>
}
