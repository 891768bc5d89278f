'use client'

import { useSession } from '../context/session.tsx'
import { FlowSkeleton, Skeleton } from '../ui/skeleton.tsx'
import { flowPath } from '../context/flows.ts'
import { useLocation } from '../context/location.tsx'

/** Shown while the server loads what all flows need; as large as the page that replaces it. */
export function ShellSkeleton() {
  const { id, flows, showsBalances, accountLabel, returnUrl, framed } = useSession()
  const { path } = useLocation()
  const flow = flows.find((one) => flowPath(id, one) === path)
  return (
    <div className="page" aria-busy>
      {showsBalances ? (
        <div className="min-h-header px-5 pt-4 pb-3">
          <Skeleton className="mb-1.5 h-3 w-24" />
          <Skeleton className="h-6 w-40" />
        </div>
      ) : (
        <div className={framed || accountLabel !== null || returnUrl !== null ? 'min-h-header' : 'pt-4'} />
      )}
      {flows.length > 1 && (
        <div className="px-5">
          <Skeleton className="h-13 rounded-card" />
        </div>
      )}
      <div className="px-5 pt-4 pb-5">{flow && <FlowSkeleton flow={flow} />}</div>
    </div>
  )
}
