'use client'

import type { HistoryDay, HistoryRow } from '#lib/browser/history-rows.ts'
import { dayKey } from '#lib/i18n/time-format.ts'
import { useConnectionState } from '../shell/page-runtime.tsx'
import { useWords } from '../shell/words.tsx'
import { useTimeText, useZone } from '../ui/time.tsx'

const DAY_MS = 86_400_000

export function useRowName(): (row: HistoryRow) => string {
  const { t } = useWords()
  return ({ kind, node }) => (kind ? t(`history.kind.${kind}`) : node.type)
}

/** "Today" and "yesterday" of the reader's zone. */
export function useDayName(): (day: HistoryDay) => string {
  const { t } = useWords()
  const zone = useZone()
  const time = useTimeText()
  const { checkedAt } = useConnectionState()
  const now = Date.parse(checkedAt)
  return ({ day, iso }) => {
    if (day === dayKey(new Date(now).toISOString(), zone)) return t('history.today')
    if (day === dayKey(new Date(now - DAY_MS).toISOString(), zone)) return t('history.yesterday')
    return time(iso, 'day')
  }
}
