'use client'

import { useEffect, useState } from 'react'
import { useConsoleText } from '../context/texts.tsx'

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const
const EVERY_MS = 15_000

/** Such as `3 min`. */
function spanText(seconds: number): string {
  const [name, size] = UNITS.find(([, length]) => seconds >= length) ?? ['s', 1]
  return `${String(Math.floor(seconds / size))} ${name}`
}

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' })
const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
const DAY_S = 86_400

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/**
 * A time: how long ago within a day, else the date; the exact time is its title. Only what may be to come reads `in 3 min`:
 * a server's clock that is ahead would make any fresh time one of the future.
 */
export function TimeText({
  iso,
  exactly = false,
  future = false,
}: {
  readonly iso: string
  readonly exactly?: boolean
  readonly future?: boolean
}) {
  const { t } = useConsoleText()
  const now = useNow()
  const time = new Date(iso)
  const difference = Math.round((now - time.getTime()) / 1000)
  const seconds = future ? difference : Math.max(0, difference)
  const relative = (): string => {
    if (seconds < 0) return t('time.in', { time: spanText(-seconds) })
    return future && seconds < 60 ? t('time.now') : t('time.ago', { time: spanText(seconds) })
  }
  const isNear = Math.abs(seconds) < DAY_S
  return (
    <time dateTime={iso} title={exact.format(time)} className="whitespace-nowrap">
      {exactly ? exact.format(time) : isNear ? relative() : short.format(time)}
    </time>
  )
}
