'use client'

import { useEffect, useState } from 'react'
import type { AddressCheck } from '#lib/addresses/index.ts'

type Check = (network: string, address: string) => AddressCheck

/** The address checks are too large for the first load: loaded when the user starts with the form. */
export function useAddressCheck(started: boolean): Check | null {
  const [check, setCheck] = useState<{ readonly run: Check } | null>(null)
  useEffect(() => {
    if (!started) return undefined
    let unmounted = false
    import('#lib/addresses/index.ts').then(
      ({ checkAddress }) => {
        if (!unmounted) setCheck({ run: checkAddress })
      },
      // Without them only the server checks.
      () => undefined,
    )
    return () => {
      unmounted = true
    }
  }, [started])
  return check?.run ?? null
}
