import { Suspense, type ReactNode } from 'react'
import type { Flow } from '#lib/contract/cashier.ts'

/** Placeholder of loading content, as large as the content. */
export const Skeleton = ({ className }: { readonly className: string }) => (
  <span aria-hidden className={`skeleton block ${className}`} />
)

/** The blocks of each screen, at their final heights. */
const BLOCKS: Readonly<Record<Flow, readonly string[]>> = {
  deposit: ['h-16', 'h-16', 'h-96', 'h-20'],
  withdraw: ['h-16', 'h-28', 'h-24', 'h-13'],
  buy: ['h-16', 'h-24', 'h-24', 'h-13'],
  history: ['h-11', 'h-16', 'h-16', 'h-16', 'h-16', 'h-16'],
}

export const FlowSkeleton = ({ flow }: { readonly flow: Flow }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5" data-testid="loading">
    {BLOCKS[flow].map((height, index) => (
      <Skeleton key={index} className={`${height} rounded-card`} />
    ))}
  </div>
)

/**
 * A part of a flow that is loaded on demand. If the page was opened at this part, a skeleton shows until it is loaded.
 * Otherwise it is shown in a transition: without a new boundary, the previous screen stays until the part is loaded.
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
