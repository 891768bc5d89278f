'use client'

import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { openFrameBridge, reportHeight, type FrameBridge } from '#lib/embed/frame/frame-bridge.ts'
import { useHydrated } from '../ui/hydrated.ts'

const FrameContext = createContext<FrameBridge | null>(null)

/** Connection to the merchant's page around this one; null on the server and at top level. For effects and presses. */
export const useFrame = (): FrameBridge | null => use(FrameContext)

/** Whether there is such a connection, for what is drawn: false in the first render, which must be the server's. */
export function useInFrame(): boolean {
  const frame = useFrame()
  return useHydrated() && frame !== null
}

/** Opens the frame bridge where the page is in a frame, answers its pings, and reports the height of the content. */
export function FrameProvider({
  embedOrigins,
  children,
}: {
  readonly embedOrigins: readonly string[]
  readonly children: ReactNode
}) {
  // Never changes: a context that changes while the page hydrates discards what the server rendered and what waits for its
  // script.
  const [frame] = useState(() => (typeof window === 'undefined' ? null : openFrameBridge(window, embedOrigins)))
  useEffect(() => frame?.listen(({ type }) => type === 'ping' && frame.send({ type: 'pong' })), [frame])
  useEffect(() => (frame ? reportHeight(frame) : undefined), [frame])
  useEffect(() => {
    // An app's web view has these; no other page loads their code.
    if (frame && /"takes"/.test(window.name))
      void import('./hand-over.ts').then(({ startHandOver }) => startHandOver(window.name, frame.send))
  }, [frame])
  return <FrameContext value={frame}>{children}</FrameContext>
}
