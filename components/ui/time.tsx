'use client'

import { formatTime, UNKNOWN_ZONE, type TimeStyle, type Zone } from '#lib/i18n/time-format.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useHydrated } from './hydrated.ts'

/** A time in the user's zone; in UTC, with a note, while the zone is unknown to the server. */
export function Time({ iso, style }: { readonly iso: string; readonly style: TimeStyle }) {
  const text = useTimeText()(iso, style)
  // Server and browser may format dates of a language differently.
  return (
    <time dateTime={iso} suppressHydrationWarning>
      {text}
    </time>
  )
}

export function useTimeText(): (iso: string, style: TimeStyle) => string {
  const { locale } = useTranslations()
  const zone = useZone()
  return (iso, style) => formatTime(iso, style, locale, zone)
}

/** The time zone for display: the browser's own after hydration. */
export function useZone(): Zone {
  const { zone } = useSession()
  return useHydrated() ? undefined : (zone ?? UNKNOWN_ZONE)
}
