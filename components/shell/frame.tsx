'use client'

import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import type { FrameBridge } from '#lib/browser/frame-bridge.ts'

const FrameContext = createContext<FrameBridge | null>(null)

/** The merchant's page that holds this one; null at top level, and until the bridge is there. */
export const useFrame = (): FrameBridge | null => use(FrameContext)

/** Opens the bridge, which only a page in a frame loads, and keeps the frame as high as its content. */
export function FrameProvider({
  embedOrigins,
  children,
}: {
  readonly embedOrigins: readonly string[]
  readonly children: ReactNode
}) {
  const [frame, setFrame] = useState<FrameBridge | null>(null)
  useEffect(() => {
    if (window.parent === window) return
    void import('#lib/browser/frame-bridge.ts').then(({ openFrameBridge }) =>
      setFrame(openFrameBridge(window, embedOrigins)),
    )
  }, [embedOrigins])
  useEffect(() => {
    if (!frame) return undefined
    const { body } = document
    const observer = new ResizeObserver(() => frame.resize(body.getBoundingClientRect().height))
    observer.observe(body)
    return () => observer.disconnect()
  }, [frame])
  return <FrameContext value={frame}>{children}</FrameContext>
}
