'use client'

import { useEffect } from 'react'

/** Tells the script in the page's head (app/early-presses.ts) that this part handles presses from now on. */
export function HydrationReport() {
  useEffect(() => {
    // After the forms have read what the user typed.
    const timer = setTimeout(() => window.dispatchEvent(new Event('cashier:hydrated')), 0)
    return () => clearTimeout(timer)
  }, [])
  return null
}
