'use client'

import { useEffect } from 'react'

/** Tells the script in the page's head (app/early-presses.ts) that presses are answered by this part from now on. */
export function HydrationReport() {
  useEffect(() => {
    // Once the forms have taken over what was typed.
    const timer = setTimeout(() => window.dispatchEvent(new Event('cashier:hydrated')), 0)
    return () => clearTimeout(timer)
  }, [])
  return null
}
