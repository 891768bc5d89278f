'use client'

import { FlowSkeleton } from '../shell/flow-skeleton.tsx'

export const HistoryScreen = () => <FlowSkeleton flow="history" />
