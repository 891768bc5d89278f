'use client'

import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { openFrameBridge, type FrameBridge } from '#lib/browser/frame-bridge.ts'

const FrameContext = createContext<FrameBridge | null>(null)

/** Connection to the merchant's page around this one; null at top level and until it is open. */
export const useFrame = (): FrameBridge | null => use(FrameContext)

/** Opens the frame bridge where the page is in a frame, answers its pings, and reports the height of the content. */
export function FrameProvider({
  embedOrigins,
  children,
}: {
  readonly embedOrigins: readonly string[]
  readonly children: ReactNode
}) {
  const [frame, setFrame] = useState<FrameBridge | null>(null)
  useEffect(() => {
    // After the first render, which must be the server's.
    queueMicrotask(() => setFrame(openFrameBridge(window, embedOrigins)))
  }, [embedOrigins])
  useEffect(() => frame?.listen(({ type }) => type === 'ping' && frame.send({ type: 'pong' })), [frame])
  useEffect(() => {
    if (!frame) return undefined
    const { body } = document
    const observer = new ResizeObserver(() => {
      const { width, height } = body.getBoundingClientRect()
      // A frame that the merchant's page hides has no size, or a part of it for a moment.
      if (window.innerWidth > 0 && width > 0 && height > 0) frame.resize(height)
    })
    observer.observe(body)
    return () => observer.disconnect()
  }, [frame])
  return <FrameContext value={frame}>{children}</FrameContext>
}
