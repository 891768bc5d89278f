'use client'

import { useEffect, useEffectEvent } from 'react'
import { nothing } from '#lib/browser/operate/console-client.ts'
import { createIdleWatch } from '#lib/browser/operate/idle-watch.ts'
import { OPERATOR_IDLE_MS } from '#lib/contract/operate/operators.ts'
import { useConsoleAccess } from '../context/client.tsx'

const CHECK_MS = 10_000
const USES = ['keydown', 'pointerdown', 'wheel'] as const

/** Ends the session of somebody who has left, although the page may still read by itself. What was typed stays. */
export function useIdleEnd(): void {
  const { gate, plain } = useConsoleAccess()
  const end = useEffectEvent(async (): Promise<void> => {
    // If the call fails, the session ends by itself.
    if (gate.asked !== 'sign-in') plain.send('POST', 'sign-out', undefined, nothing).catch(() => undefined)
    await gate.ask('sign-in')
  })
  useEffect(() => {
    const watch = createIdleWatch({ idleMs: OPERATOR_IDLE_MS, now: Date.now, storage: () => window.localStorage })
    let ending = false
    watch.use()
    const use = (): void => {
      // A press after the time is over does not bring the session back.
      if (!watch.isIdle()) watch.use()
    }
    const check = async (): Promise<void> => {
      if (ending || !watch.isIdle()) return
      ending = true
      await end()
      ending = false
      watch.use()
    }
    for (const name of USES) window.addEventListener(name, use, { passive: true, capture: true })
    const timer = setInterval(() => void check(), CHECK_MS)
    return () => {
      clearInterval(timer)
      for (const name of USES) window.removeEventListener(name, use, { capture: true })
    }
  }, [])
}
