'use client'

import { createContext, use, useCallback, useState, useSyncExternalStore, type ReactNode } from 'react'
import { createDrafts, type Drafts } from '#lib/browser/drafts.ts'

const DraftsContext = createContext<Drafts | null>(null)

/**
 * Keeps what the user typed and has not sent yet, also while another flow is on the screen. Kept only in the page's
 * memory: an address and an amount do not belong in a URL or in storage that the next person at this device can read.
 */
export function DraftsProvider({ children }: { readonly children: ReactNode }) {
  const [drafts] = useState(createDrafts)
  return <DraftsContext value={drafts}>{children}</DraftsContext>
}

/** The draft of a form. It starts as `blank`, which is also its key. A change replaces only the fields that it has. */
export function useDraft<Draft extends object>(
  blank: Draft,
): readonly [draft: Draft, change: (changes: Partial<Draft>) => void] {
  const drafts = use(DraftsContext)
  if (!drafts) throw new Error('useDraft outside DraftsProvider')
  const draft = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.get(blank),
    () => blank,
  )
  const change = useCallback((changes: Partial<Draft>) => drafts.change(blank, changes), [drafts, blank])
  return [draft, change]
}
