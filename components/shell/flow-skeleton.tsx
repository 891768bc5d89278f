import type { Flow } from '#lib/contract/cashier.ts'
import { Skeleton } from '../ui/skeleton.tsx'

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
