'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import UserPlus from 'lucide-react/icons/user-plus'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { operatorsQuery } from '#lib/browser/operate/operators.ts'
import type { ListedOperator } from '#lib/contract/operate/access.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { OperatorCard } from './operator-card.tsx'

/** Who may use the console. */
export default function OperatorsPage() {
  const { t } = useConsoleText()
  const client = useConsoleClient()
  const cache = useQueryClient()
  const query = operatorsQuery(client)
  const operators = useQuery(query)
  /** Null: nobody is being invited; `new`: somebody new, else a further passkey. */
  const [invites, setInvites] = useState<ListedOperator | 'new' | null>(null)
  const reload = (): Promise<void> => cache.invalidateQueries({ queryKey: query.queryKey })
  return (
    <>
      <PageHead
        title={t('page.operators')}
        about={t('operators.about')}
        actions={
          <Button variant="primary" onClick={() => setInvites('new')}>
            <UserPlus aria-hidden size={18} />
            {t('operators.invite')}
          </Button>
        }
      />
      {operators.isError && <LoadingFailure error={operators.error} retry={() => void operators.refetch()} />}
      <ul className="grid gap-3 xl:grid-cols-2">
        {operators.data?.operators.map((operator) => (
          <OperatorCard
            key={operator.id}
            operator={operator}
            onInvite={() => setInvites(operator)}
            onChanged={reload}
          />
        ))}
      </ul>
      <InviteDialog invites={invites} onInvited={reload} onClose={() => setInvites(null)} />
    </>
  )
}
