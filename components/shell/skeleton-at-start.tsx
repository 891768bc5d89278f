import { Suspense, type ReactNode } from 'react'
import type { Flow } from '#lib/contract/cashier.ts'
import { FlowSkeleton } from './flow-skeleton.tsx'

/**
 * A part of a flow that is loaded on demand. The page may be opened at it: then a skeleton shows until it is there. Later
 * it comes in a transition, and without a new boundary the screen of before stays until it is there.
 */
export const SkeletonAtStart = ({
  flow,
  atStart,
  children,
}: {
  readonly flow: Flow
  /** The page was opened at this part. */
  readonly atStart: boolean
  readonly children: ReactNode
}) => (atStart ? <Suspense fallback={<FlowSkeleton flow={flow} />}>{children}</Suspense> : children)
