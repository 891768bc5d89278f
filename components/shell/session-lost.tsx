'use client'

import { useEffect } from 'react'
import { useEndSession } from './page-runtime.tsx'

/** Stands in for a flow whose request had no session any more: its cookie is gone, or the session is over. */
export function SessionLost() {
  const end = useEndSession()
  useEffect(() => end(), [end])
  return null
}
