'use client'

import type { HistoryDay, HistoryRow } from '#lib/browser/history-rows.ts'
import { dayKey } from '#lib/i18n/time-format.ts'
import { useWords } from '../shell/words.tsx'
import { useHydrated } from '../ui/hydrated.ts'
import { useTimeText } from '../ui/time.tsx'

const DAY_MS = 86_400_000

export function useRowName(): (row: HistoryRow) => string {
  const { t } = useWords()
  return ({ kind, node }) => (kind ? t(`history.kind.${kind}`) : node.type)
}

/** "Today" is the reader's; the server, which knows no zone, names the date. */
export function useDayName(): (day: HistoryDay) => string {
  const { t } = useWords()
  const hydrated = useHydrated()
  const time = useTimeText()
  return ({ day, iso }) => {
    if (hydrated && day === dayKey(new Date().toISOString(), undefined)) return t('history.today')
    if (hydrated && day === dayKey(new Date(Date.now() - DAY_MS).toISOString(), undefined))
      return t('history.yesterday')
    return time(iso, 'day')
  }
}
