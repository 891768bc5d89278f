import { useEffect, useState } from 'react'
import { useClockAhead } from '../context/page-runtime.tsx'

/** The longest time of a browser's timer. */
const LONGEST_MS = 2_147_483_647

/** True from this time of the server on; false for a text that is not a time. */
export function useIsPast(iso: string | null): boolean {
  const [past, setPast] = useState(false)
  const aheadMs = useClockAhead().ms()
  useEffect(() => {
    const left = iso === null ? NaN : Date.parse(iso) + aheadMs - Date.now()
    if (Number.isNaN(left) || left > LONGEST_MS) return undefined
    const timer = setTimeout(() => setPast(true), Math.max(left, 0))
    return () => clearTimeout(timer)
  }, [iso, aheadMs])
  return past
}
