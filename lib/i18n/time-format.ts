/** Times and days in a language. `zone` is undefined for the browser's own; the server names one. */
import type { Locale } from '#lib/contract/cashier.ts'
import { intlTag } from './locale-facts.ts'

export type Zone = string | undefined
/** Where the reader's zone is not known: then `UTC` is said beside the time. Who lives by UTC needs no such word. */
export const UNKNOWN_ZONE = 'Etc/UTC'
export type TimeStyle = 'time' | 'time-seconds' | 'day' | 'date-time'

const OPTIONS: Readonly<Record<TimeStyle, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit' },
  'time-seconds': { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  'date-time': { dateStyle: 'medium', timeStyle: 'medium' },
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** An ISO time in words; what is no time comes back as it is. Times drawn for UTC say so. */
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

/** The reader's day as `2026-11-20`, to group by. */
export function dayKey(iso: string, zone: Zone): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return iso
  // Sweden writes its days as ISO does.
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...(zone && { timeZone: zone }) }).format(time)
}
