'use client'

import { useEffect } from 'react'
import { tellReturn } from '#lib/browser/onramp-return.ts'

/** Tells the cashier around this frame that the user is back. */
export function OnrampReturn() {
  useEffect(() => {
    tellReturn(window)
  }, [])
  return null
}
