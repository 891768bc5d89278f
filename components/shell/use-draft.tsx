'use client'

import { createContext, use, useCallback, useState, useSyncExternalStore, type ReactNode } from 'react'
import { createDrafts, type Drafts } from '#lib/browser/drafts.ts'

const DraftsContext = createContext<Drafts | null>(null)

/**
 * What was typed and not sent yet, kept while the user looks at another flow. Only in the memory of the page: an address
 * and an amount do not belong into a URL, nor into a storage that the next person at this device can read.
 */
export function DraftsProvider({ children }: { readonly children: ReactNode }) {
  const [drafts] = useState(createDrafts)
  return <DraftsContext value={drafts}>{children}</DraftsContext>
}

/** The draft of a form, which begins as `blank`; that object is its key too. A change replaces the fields that it has. */
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
