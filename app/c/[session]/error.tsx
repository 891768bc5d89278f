'use client'

import { useEffect } from 'react'
import { ProblemScreen } from '#components/ui/problem-screen.tsx'
import { useFrame } from '#components/shell/frame.tsx'

/**
 * Replaces a screen that threw and tells the merchant's page; the rest of the page stays. The server's log has
 * `digest`.
 */
export default function PageError({
  error,
  reset,
}: {
  readonly error: Error & { digest?: string }
  readonly reset: () => void
}) {
  const frame = useFrame()
  useEffect(() => frame?.send({ type: 'error', code: 'failed', message: 'a screen of the cashier failed' }), [frame])
  return <ProblemScreen details={{ code: 'internal', requestId: error.digest ?? null }} onRetry={reset} />
}
