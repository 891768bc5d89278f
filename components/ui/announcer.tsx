'use client'

import { createContext, use, useCallback, useState, type ReactNode } from 'react'

type Announce = (text: string) => void
const AnnounceContext = createContext<Announce>(() => undefined)

/** Tells screen readers of what changed by itself, politely. */
export const useAnnounce = (): Announce => use(AnnounceContext)

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', turn: 0 })
  const announce = useCallback<Announce>((text) => setSaid(({ turn }) => ({ text, turn: turn + 1 })), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" className="sr-only" data-testid="announcements">
        {/* The same words twice are two announcements. */}
        <span key={said.turn}>{said.text}</span>
      </div>
    </AnnounceContext>
  )
}
