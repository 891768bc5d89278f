'use client'

import { useQuery } from '@tanstack/react-query'
import { proposalsQuery } from '#lib/browser/operate/decide.ts'
import { ConsoleLink } from '../context/address.tsx'
import { useConsoleClient } from '../context/client.tsx'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { ProposalNotice } from './proposal-notice.tsx'

const PAGES = { not_sent: 'withdrawals', sent: 'withdrawals', owner: 'payouts' } as const

/** The decisions that wait for a second person; nothing if none does. For the landing page. */
export function ProposalsCard() {
  const { t } = useConsoleText()
  const query = useQuery(proposalsQuery(useConsoleClient()))
  if (query.error && query.data === undefined)
    return <LoadingFailure error={query.error} retry={() => void query.refetch()} />
  const proposals = query.data?.proposals ?? []
  if (proposals.length === 0) return null
  return (
    <section aria-labelledby="proposals" className="grid gap-2">
      <h2 id="proposals" className="font-semibold">
        {t('decide.proposals')}
      </h2>
      {proposals.map((proposal) => (
        <div key={proposal.id} className="grid gap-1">
          <ProposalNotice proposal={proposal} />
          <ConsoleLink
            href={recordHref(PAGES[proposal.kind], proposal.subject)}
            className="justify-self-start text-s text-accent underline-offset-2 hover:underline"
          >
            {t('decide.look')}
          </ConsoleLink>
        </div>
      ))}
    </section>
  )
}
