'use client'

import { useEffect, useState } from 'react'

/**
 * Code that is too large for the first load, once it is needed and loaded; null until then, and if it cannot be loaded.
 * @param load from `lazyCode`
 */
export function useLateCode<Code extends object>(load: () => Promise<Code | null>, needed: boolean): Code | null {
  const [code, setCode] = useState<Code | null>(null)
  useEffect(() => {
    if (!needed) return undefined
    let unmounted = false
    void load().then((loaded) => {
      if (!unmounted && loaded) setCode(loaded)
    })
    return () => {
      unmounted = true
    }
  }, [load, needed])
  return code
}
