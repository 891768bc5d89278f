'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { userQuery } from '#lib/browser/operate/users.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { UserView } from '#lib/contract/operate/users.ts'
import { useConsoleClient } from '../context/client.tsx'
import type { PageProps } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IdText } from '../ui/id-text.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { CheckNow } from './check-now.tsx'
import { EraseUserAct, type Receipt } from './erase-user.tsx'
import { ErasureReceipt } from './erasure-receipt.tsx'
import { UserAddresses } from './user-addresses.tsx'
import { UserBalances } from './user-balances.tsx'
import { UserMovements } from './user-movements.tsx'
import { UserQuarantine } from './user-quarantine.tsx'
import { UserSessions } from './user-sessions.tsx'
import { UserStatement } from './user-statement.tsx'

/** A user: what they hold, what they did, from where they are here, and what an operator can do about it. */
export default function UserPage({ params }: PageProps) {
  const { t } = useConsoleText()
  const id = params['user'] ?? ''
  const user = useQuery(userQuery(useConsoleClient(), id))
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  if (receipt !== null) return <ErasureReceipt user={id} receipt={receipt} />
  if (user.data === undefined) {
    if (user.isPending) return <p className="sr-only">{t('console.loading')}</p>
    if (user.error instanceof RequestFailure && user.error.code === 'not_found')
      return <EmptyState title={t('users.notFound')}>{t('users.notFoundHelp')}</EmptyState>
    return <LoadingFailure error={user.error} retry={() => void user.refetch()} />
  }
  const refresh = (): void => void user.refetch()
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHead
        title={<IdText id={id} name={t('story.field.user')} />}
        about={<About user={user.data} />}
        actions={
          <>
            <Button variant="chip" busy={user.isFetching} onClick={refresh}>
              {t('story.refresh')}
            </Button>
            <EraseUserAct user={id} onErased={setReceipt} />
          </>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-2">
        <UserBalances user={user.data} />
        <CheckNow user={user.data} onChecked={refresh} />
      </div>
      <UserQuarantine lines={user.data.quarantine} user={id} />
      <UserMovements user={user.data} />
      <UserStatement user={id} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-2">
        <UserSessions user={user.data} onEnded={refresh} />
        <UserAddresses user={user.data} />
      </div>
    </article>
  )
}

function About({ user }: { readonly user: UserView }) {
  const { t } = useConsoleText()
  return (
    <>
      {user.is_known ? t('users.known') : t('users.unknown')}
      {user.last_seen_at !== null && (
        <>
          {' · '}
          {t('users.lastSeen')} <TimeText iso={user.last_seen_at} />
        </>
      )}
    </>
  )
}
