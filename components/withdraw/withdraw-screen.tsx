'use client'

import { FlowSkeleton } from '../shell/flow-skeleton.tsx'

export const WithdrawScreen = () => <FlowSkeleton flow="withdraw" />
