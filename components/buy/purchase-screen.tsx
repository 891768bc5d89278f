'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { startedOnrampQuery } from '#lib/browser/queries.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import { FlowSkeleton } from '../ui/skeleton.tsx'
import { useBffClient } from '../context/page-runtime.tsx'
import { ProblemScreen, problemDetails } from '../ui/problem-screen.tsx'
import { ProviderFrame } from './provider-frame.tsx'

/** A purchase that the user has just started or comes back to. */
export default function PurchaseScreen({
  id,
  onDone,
  onGone,
}: {
  readonly id: string
  readonly onDone: () => void
  /** The purchase does not exist or cannot be continued. */
  readonly onGone: () => void
}) {
  const query = useQuery(startedOnrampQuery(useBffClient(), id))
  const isGone = !query.data && query.error instanceof RequestFailure && query.error.code === 'not_found'
  const leave = useEffectEvent(onGone)
  useEffect(() => {
    if (isGone) leave()
  }, [isGone])
  if (query.data) return <ProviderFrame session={query.data} onDone={onDone} />
  if (query.error && !isGone)
    return (
      <ProblemScreen
        details={problemDetails(query.error)}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  return <FlowSkeleton flow="buy" />
}
