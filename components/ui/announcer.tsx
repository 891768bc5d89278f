'use client'

import { createContext, use, useCallback, useRef, useState, type ReactNode } from 'react'

type Announce = (text: string) => void

interface Announcement {
  readonly texts: readonly string[]
  readonly turn: number
}

/**
 * Announcements within this time are made together, because each would replace the previous one. Each event comes in its
 * own task.
 */
const TOGETHER_MS = 100

const AnnounceContext = createContext<Announce>(() => undefined)

/** Announces a change to screen readers (polite live region). */
export const useAnnounce = (): Announce => use(AnnounceContext)

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const [announcement, setAnnouncement] = useState<Announcement>({ texts: [], turn: 0 })
  const waiting = useRef<readonly string[]>([])
  const announce = useCallback<Announce>((text) => {
    waiting.current = [...waiting.current, text]
    if (waiting.current.length > 1) return
    setTimeout(() => {
      const texts = waiting.current
      waiting.current = []
      setAnnouncement(({ turn }) => ({ texts, turn: turn + 1 }))
    }, TOGETHER_MS)
  }, [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" className="sr-only" data-testid="announcements">
        {/* New elements each time, so that the same text twice is announced twice. */}
        {announcement.texts.map((text, index) => (
          <p key={`${announcement.turn} ${index}`}>{text}</p>
        ))}
      </div>
    </AnnounceContext>
  )
}
