'use client'

import { formatTime, UNKNOWN_ZONE, type TimeStyle, type Zone } from '#lib/i18n/time-format.ts'
import { useSession } from '../shell/session.tsx'
import { useWords } from '../shell/words.tsx'
import { useHydrated } from './hydrated.ts'

/** A time in the reader's zone; where the server does not know it yet, in UTC, and says so. */
export function Time({ iso, style }: { readonly iso: string; readonly style: TimeStyle }) {
  const text = useTimeText()(iso, style)
  // Server and browser may know different versions of a language's dates.
  return (
    <time dateTime={iso} suppressHydrationWarning>
      {text}
    </time>
  )
}

export function useTimeText(): (iso: string, style: TimeStyle) => string {
  const { locale } = useWords()
  const zone = useZone()
  return (iso, style) => formatTime(iso, style, locale, zone)
}

/** The zone to write times in: the browser's own as soon as the page runs. */
export function useZone(): Zone {
  const { zone } = useSession()
  return useHydrated() ? undefined : (zone ?? UNKNOWN_ZONE)
}
