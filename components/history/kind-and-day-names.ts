'use client'

import type { HistoryDay, HistoryItem } from '#lib/browser/history-items.ts'
import { dayBefore, dayKey } from '#lib/i18n/time-format.ts'
import { useConnectionState } from '../context/page-runtime.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useTimeText, useZone } from '../ui/time.tsx'

export function useRowName(): (item: HistoryItem) => string {
  const { t } = useTranslations()
  return ({ kind, node }) => (kind ? t(`history.kind.${kind}`) : node.type)
}

/** The heading of a day: today, yesterday or the date, in the user's time zone. */
export function useDayName(): (day: HistoryDay) => string {
  const { t } = useTranslations()
  const zone = useZone()
  const time = useTimeText()
  const today = dayKey(useConnectionState().checkedAt, zone)
  return ({ day, iso }) => {
    if (day === today) return t('history.today')
    if (day === dayBefore(today)) return t('history.yesterday')
    return time(iso, 'day')
  }
}
