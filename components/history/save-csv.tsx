'use client'

import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import type { HistoryItem } from '#lib/browser/history-items.ts'
import { useTranslations } from '../context/translations.tsx'
import { Button } from '../ui/button.tsx'
import { lazyCode } from '../ui/lazy-part.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
import { useRowName } from './kind-and-day-names.ts'

const loadSaving = lazyCode(() =>
  Promise.all([import('#lib/browser/history-csv.ts'), import('#lib/browser/save-file.ts')]),
)

/** Saves the visible rows: amounts as plain decimals, times in ISO 8601. */
export function SaveCsv({ items }: { readonly items: readonly HistoryItem[] }) {
  const { t } = useTranslations()
  const nameOf = useRowName()
  const [missing, setMissing] = useState(false)
  const save = async (): Promise<void> => {
    const code = await loadSaving()
    setMissing(code === null)
    if (code === null) return
    const [{ toCsv }, { saveFile }] = code
    const header = [
      t('details.created'),
      t('history.type'),
      t('details.status'),
      t('details.amount'),
      t('details.currency'),
      t('details.network'),
      t('details.from'),
      t('details.to'),
      t('details.hash'),
      t('details.transactionId'),
    ]
    const lines = items.map(({ node, display, ...item }) => [
      node.inserted_at,
      nameOf({ node, display, ...item }),
      t(display.label),
      node.amount,
      node.currency.code,
      node.currency.network,
      node.from_address ?? '',
      node.to_address ?? '',
      node.tx_hash ?? '',
      node.transaction_uuid ?? node.withdrawal_id ?? '',
    ])
    saveFile(new Blob([toCsv(header, lines)], { type: 'text/csv;charset=utf-8' }), 'transactions.csv')
  }
  return (
    <p className="shown-whole flex flex-wrap items-center justify-center gap-x-3 text-center text-s text-ink-2">
      <Button variant="quiet" onClick={() => void save()} data-testid="save-csv">
        <Download aria-hidden size={16} />
        <span>{t('history.csv')}</span>
      </Button>
      <span role={missing ? 'alert' : undefined}>{t(missing ? 'problem.offline.body' : 'history.csvNote')}</span>
      <WholeEnd />
    </p>
  )
}
