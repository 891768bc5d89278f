'use client'

import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import type { FrameBridge } from '#lib/browser/frame-bridge.ts'

const FrameContext = createContext<FrameBridge | null>(null)

/** Connection to the merchant's page around this one; null at top level and until it is open. */
export const useFrame = (): FrameBridge | null => use(FrameContext)

/** Loads and opens the frame bridge where the page is in a frame, and reports the height of the content. */
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
