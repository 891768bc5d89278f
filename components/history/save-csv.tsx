'use client'

import Download from 'lucide-react/icons/download'
import type { HistoryRow } from '#lib/browser/history-rows.ts'
import { useWords } from '../shell/words.tsx'
import { Button } from '../ui/button.tsx'
import { useRowName } from './row-words.ts'

/** Saves the shown rows; amounts as plain decimals, times in ISO 8601. */
export function SaveCsv({ rows }: { readonly rows: readonly HistoryRow[] }) {
  const { t } = useWords()
  const nameOf = useRowName()
  const save = async (): Promise<void> => {
    const [{ toCsv }, { saveFile }] = await Promise.all([
      import('#lib/browser/history-csv.ts'),
      import('#lib/browser/save-picture.ts'),
    ])
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
    const lines = rows.map(({ node, look, ...row }) => [
      node.inserted_at,
      nameOf({ node, look, ...row }),
      t(look.word),
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
    <p className="flex flex-wrap items-center justify-center gap-x-3 text-s text-ink-2">
      <Button look="quiet" onClick={() => void save()} data-testid="save-csv">
        <Download aria-hidden size={16} />
        {t('history.csv')}
      </Button>
      {t('history.csvNote')}
    </p>
  )
}
