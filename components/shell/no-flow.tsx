'use client'

import { useEffect } from 'react'
import { useEndSession } from '../context/page-runtime.tsx'
import { ProblemScreen } from '../ui/problem-screen.tsx'

/** Shown at the URL of a flow that the session does not have. */
export const FlowNotAllowed = () => <ProblemScreen details={{ code: 'flow_not_allowed', requestId: null }} />

/** Stands in for a flow whose request had no session any more: its cookie is gone, or the session is over. */
export function SessionLost() {
  const end = useEndSession()
  useEffect(() => end(), [end])
  return null
}
