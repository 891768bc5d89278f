/** Formats times and days in a language. `zone` is undefined for the browser's own time zone. */
import type { Locale } from '#lib/contract/locales.ts'
import { intlTag } from './intl-locale.ts'

export type Zone = string | undefined
/** Used while the user's zone is unknown: times then end with `UTC`. With a known zone they never do. */
export const UNKNOWN_ZONE = 'Etc/UTC'
export type TimeStyle = 'time' | 'time-seconds' | 'day' | 'date-time'

const OPTIONS: Readonly<Record<TimeStyle, Intl.DateTimeFormatOptions>> = {
  time: { timeStyle: 'short' },
  'time-seconds': { timeStyle: 'medium' },
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  'date-time': { dateStyle: 'medium', timeStyle: 'medium' },
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** An ISO time as text; text that is not a time is returned unchanged. */
export function formatTime(iso: string, style: TimeStyle, locale: Locale, zone: Zone): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return iso
  const key = `${locale} ${style} ${zone ?? ''}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(intlTag(locale), { ...OPTIONS[style], ...(zone && { timeZone: zone }) })
    formats.set(key, format)
  }
  const text = format.format(time)
  return zone === UNKNOWN_ZONE && style !== 'day' ? `${text} UTC` : text
}

/** The day in the user's zone as `2026-11-20`, for grouping. */
export function dayKey(iso: string, zone: Zone): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return iso
  // Swedish dates have the ISO format.
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...(zone && { timeZone: zone }) }).format(time)
}

/** The key of the day before, in any zone: a day may have 23 or 25 hours. */
export function dayBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}
