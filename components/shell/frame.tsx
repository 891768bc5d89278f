'use client'

import { createContext, use, useEffect, useMemo, type ReactNode } from 'react'
import { openFrameBridge, type FrameBridge } from '#lib/browser/frame-bridge.ts'
import { useHydrated } from '../ui/hydrated.ts'

const FrameContext = createContext<FrameBridge | null>(null)

/** The merchant's page that holds this one, or null at top level and until the page runs. */
export const useFrame = (): FrameBridge | null => use(FrameContext)

/** Opens the bridge and keeps the frame as high as its content. */
export function FrameProvider({
  embedOrigins,
  children,
}: {
  readonly embedOrigins: readonly string[]
  readonly children: ReactNode
}) {
  const hydrated = useHydrated()
  const frame = useMemo(() => (hydrated ? openFrameBridge(window, embedOrigins) : null), [hydrated, embedOrigins])
  useEffect(() => {
    if (!frame) return undefined
    const { body } = document
    const observer = new ResizeObserver(() => frame.resize(body.getBoundingClientRect().height))
    observer.observe(body)
    return () => observer.disconnect()
  }, [frame])
  return <FrameContext value={frame}>{children}</FrameContext>
}
