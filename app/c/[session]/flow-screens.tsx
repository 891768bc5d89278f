'use client'

import { Suspense, useEffect, type ReactNode } from 'react'
import { useSession } from '#components/context/session.tsx'
import { FlowSkeleton } from '#components/ui/skeleton.tsx'
import { flowPath, preloadFlow, setFlowPreload } from '#components/context/flows.ts'
import { useLocation } from '#components/context/location.tsx'
import { lazyPart, loadPartsInAdvance } from '#components/ui/lazy-part.tsx'

const loadOther = () => import('./other-flow.tsx')
const OtherFlow = lazyPart(loadOther)

/** Late enough for the first screen to load: on a slow network the other flows would compete with it. */
const PRELOAD_AFTER_MS = 6000

/**
 * The flow of the page's URL. The server renders the first flow, `children`, with its data. The browser renders the
 * others, so that a change of flow requests no document.
 */
export function FlowScreens({ children }: { readonly children: ReactNode }) {
  const { id, flows } = useSession()
  const { path, renderedPath } = useLocation()
  const shown = flows.find((flow) => flowPath(id, flow) === path)

  useEffect(() => {
    // A flow that fails to load is loaded again when it is shown.
    setFlowPreload(
      (flow) =>
        void loadOther().then(
          ({ preload }) => preload(flow),
          () => undefined,
        ),
    )
    const load = (): void => {
      for (const flow of flows) if (flowPath(id, flow) !== renderedPath) preloadFlow(flow)
      loadPartsInAdvance()
    }
    const timer = setTimeout(load, PRELOAD_AFTER_MS)
    // Loads what failed while offline.
    window.addEventListener('online', load)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', load)
    }
  }, [id, flows, renderedPath])

  if (path === renderedPath || !shown) return children
  return (
    <Suspense key={shown} fallback={<FlowSkeleton flow={shown} />}>
      <OtherFlow flow={shown} />
    </Suspense>
  )
}
