'use client'

import { Suspense, useState, type ReactNode } from 'react'

/** Loads a dialog when it is first wanted, and keeps it for its closing. */
export function LazyDialog({ wanted, children }: { readonly wanted: boolean; readonly children: ReactNode }) {
  const [loaded, setLoaded] = useState(wanted)
  if (wanted && !loaded) setLoaded(true)
  return loaded && <Suspense>{children}</Suspense>
}
