'use client'

import { createContext, use, useCallback, useState, type ReactNode } from 'react'

type Announce = (text: string) => void
const AnnounceContext = createContext<Announce>(() => undefined)

/** Announces a change to screen readers (polite live region). */
export const useAnnounce = (): Announce => use(AnnounceContext)

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const [announcement, setAnnouncement] = useState({ text: '', turn: 0 })
  const announce = useCallback<Announce>((text) => setAnnouncement(({ turn }) => ({ text, turn: turn + 1 })), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" className="sr-only" data-testid="announcements">
        {/* A new element each time, so that the same text twice is announced twice. */}
        <span key={announcement.turn}>{announcement.text}</span>
      </div>
    </AnnounceContext>
  )
}
