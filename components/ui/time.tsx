'use client'

import { formatTime, type TimeStyle } from '#lib/i18n/time-format.ts'
import { useWords } from '../shell/words.tsx'
import { useHydrated } from './hydrated.ts'

/** A time in the reader's zone; what the server draws is in UTC and says so. */
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
  const zone = useHydrated() ? undefined : 'UTC'
  return (iso, style) => formatTime(iso, style, locale, zone)
}
