'use client'

import { useEffect } from 'react'
import { useEndSession } from '../context/page-runtime.tsx'
import { ProblemScreen } from '../ui/problem-screen.tsx'

/** Shown at the URL of a flow that the session does not have. */
export const FlowNotAllowed = () => <ProblemScreen details={{ code: 'flow_not_allowed', requestId: null }} />

/** Replaces a flow whose request had no session: the cookie is missing, or the session has ended. */
export function SessionLost() {
  const end = useEndSession()
  useEffect(() => end(), [end])
  return null
}
