'use client'

import { ProblemScreen } from '../ui/problem-screen.tsx'

/** Shown at the URL of a flow that the session does not have. */
export const FlowNotAllowed = () => <ProblemScreen details={{ code: 'flow_not_allowed', requestId: null }} />
