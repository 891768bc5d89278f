'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { useMemo, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Pill } from '#components/ui/tone.tsx'
import { merchantKeysQuery } from '#lib/browser/operate/merchant-keys.ts'
import type { MerchantKeyView } from '#lib/contract/operate/merchant-keys.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { DataTable, type DataColumn } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { MakeKeyDialog } from './make-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

const idOf = ({ id }: MerchantKeyView): string => id

/** A time, and who did it. */
function TimeBy({ iso, by }: { readonly iso: string; readonly by: string | null }) {
  return (
    <span className="block">
      <TimeText iso={iso} />
      {by !== null && <span className="block text-ink-2 break-words">{by}</span>}
    </span>
  )
}

/** The keys of the merchant API beside `MERCHANT_API_KEY`. */
export default function KeysPage() {
  const { t } = useConsoleText()
  const client = useConsoleClient()
  const cache = useQueryClient()
  const query = merchantKeysQuery(client)
  const keys = useQuery(query)
  const [makes, setMakes] = useState(false)
  const [revokes, setRevokes] = useState<MerchantKeyView | null>(null)
  const reload = (): Promise<void> => cache.invalidateQueries({ queryKey: query.queryKey })
  const columns = useMemo(
    (): readonly DataColumn<MerchantKeyView>[] => [
      {
        id: 'name',
        header: t('merchantKeys.name'),
        cell: ({ name }) => <span className="font-semibold break-words">{name}</span>,
        names: true,
      },
      {
        id: 'shown',
        header: t('merchantKeys.key'),
        cell: ({ shown }) => (
          <code translate="no" className="font-mono text-s">
            {shown}…
          </code>
        ),
      },
      {
        id: 'scopes',
        header: t('merchantKeys.scopes'),
        cell: ({ scopes }) => <span translate="no">{scopes.join(', ')}</span>,
      },
      {
        id: 'created',
        header: t('merchantKeys.made'),
        cell: ({ created_at, created_by }) => <TimeBy iso={created_at} by={created_by} />,
      },
      {
        id: 'used',
        header: t('merchantKeys.used'),
        cell: ({ last_used_at }) =>
          last_used_at === null ? t('merchantKeys.neverUsed') : <TimeText iso={last_used_at} />,
      },
      {
        id: 'state',
        header: t('merchantKeys.state'),
        cell: (key) =>
          key.revoked_at === null ? (
            <Button
              variant="chip"
              aria-label={t('merchantKeys.revokeNamed', { name: key.name })}
              onClick={() => setRevokes(key)}
            >
              {t('merchantKeys.revoke')}
            </Button>
          ) : (
            <span className="inline-grid justify-items-start gap-1 max-sm:justify-items-end">
              <Pill tone="bad">{t('merchantKeys.revoked')}</Pill>
              <TimeBy iso={key.revoked_at} by={key.revoked_by} />
            </span>
          ),
      },
    ],
    [t],
  )
  return (
    <>
      <PageHead
        title={t('page.keys')}
        about={t('merchantKeys.about')}
        actions={
          <Button variant="primary" onClick={() => setMakes(true)}>
            <KeyRound aria-hidden size={18} />
            {t('merchantKeys.make')}
          </Button>
        }
      />
      <DataTable
        caption={t('page.keys')}
        columns={columns}
        rows={keys.data}
        rowId={idOf}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        empty={<EmptyState title={t('merchantKeys.none')}>{t('merchantKeys.noneHelp')}</EmptyState>}
      />
      <MakeKeyDialog open={makes} onMade={reload} onClose={() => setMakes(false)} />
      <RevokeKeyDialog revokes={revokes} onRevoked={reload} onClose={() => setRevokes(null)} />
    </>
  )
}
