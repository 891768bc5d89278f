'use client'

import { Problem } from '../ui/problem.tsx'

/** An address of a flow that the merchant did not give this session. */
export const FlowNotAllowed = () => <Problem facts={{ code: 'flow_not_allowed', requestId: null }} />
