'use client'

import { useEffect } from 'react'
import { Problem } from '../ui/problem.tsx'
import { useFrame } from './frame.tsx'

/** A screen that broke: the rest of the page stays, and the merchant's page hears of it. `digest` is in the server's log. */
export function PageError({
  error,
  reset,
}: {
  readonly error: Error & { digest?: string }
  readonly reset: () => void
}) {
  const frame = useFrame()
  useEffect(() => frame?.send({ type: 'error', code: 'failed', message: 'a screen of the cashier broke' }), [frame])
  return <Problem facts={{ code: 'internal', requestId: error.digest ?? null }} onRetry={reset} />
}
