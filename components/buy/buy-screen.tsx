'use client'

import { FlowSkeleton } from '../shell/flow-skeleton.tsx'

export const BuyScreen = () => <FlowSkeleton flow="buy" />
