'use client'

import { useEffect } from 'react'
import { postReturnMessage } from '#lib/browser/onramp-return-message.ts'

/** Reports to the cashier around this frame that the provider sent the user back. */
export function OnrampReturn() {
  useEffect(() => {
    postReturnMessage(window)
  }, [])
  return null
}
