const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' })
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })
const day = new Intl.DateTimeFormat('en', { dateStyle: 'full' })

/** The time of the day, to the second; the exact time is its title. */
export function EntryTime({ iso }: { readonly iso: string }) {
  const time = new Date(iso)
  return (
    <time dateTime={iso} title={exact.format(time)} className="text-xs whitespace-nowrap text-ink-2 tabular-nums">
      {clock.format(time)}
    </time>
  )
}

/** The day of a time, in words. */
export const dayText = (iso: string): string => day.format(new Date(iso))
