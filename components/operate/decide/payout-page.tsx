'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { DetailField, PlainField } from '#components/ui/detail-field.tsx'
import { Notice, Pill } from '#components/ui/tone.tsx'
import { payoutDecisionQuery } from '#lib/browser/operate/decide.ts'
import { ownedReply, type PayoutDecision, type PossibleOwner } from '#lib/contract/operate/decide.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { recordHref, type PageProps } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IdText } from '../ui/id-text.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { ComparedTable } from './compared-table.tsx'
import { DecidedBy } from './decided-by.tsx'
import { ProposalNotice } from './proposal-notice.tsx'
import { useDecide } from './use-decide.ts'

/** A payout, and whose it is: side by side with the withdrawals that it may belong to. */
export default function PayoutPage({ params }: PageProps) {
  const { t } = useConsoleText()
  const query = useQuery(payoutDecisionQuery(useConsoleClient(), params['uuid'] ?? ''))
  return (
    <>
      <PageHead title={t('page.payout')} />
      {query.data === undefined ? (
        query.error && <LoadingFailure error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Payout found={query.data} />
      )}
    </>
  )
}

type Chosen = PossibleOwner | 'acknowledged'

function Payout({ found }: { readonly found: PayoutDecision }) {
  const { t } = useConsoleText()
  const { role } = useOperator()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { payout, owners, proposal } = found
  const mayAct = mayActAs(role, 'agent')
  return (
    <div className="grid gap-5">
      <PayoutFields found={found} />
      {proposal !== null && <ProposalNotice proposal={proposal} />}
      {payout.owner === null && (
        <section aria-labelledby="owners" className="grid gap-3">
          <h2 id="owners" className="font-semibold">
            {t('decide.whose')}
          </h2>
          {!mayAct && <p className="text-s text-ink-2">{t('decide.viewer')}</p>}
          {owners.length === 0 && <EmptyState title={t('decide.noOwners')}>{t('decide.noOwnersHelp')}</EmptyState>}
          {owners.map((owner) => (
            <Candidate key={owner.withdrawal.id} owner={owner} onChoose={mayAct ? () => setChosen(owner) : null} />
          ))}
          {mayAct && (
            <Button className="justify-self-start" onClick={() => setChosen('acknowledged')}>
              {t('decide.acknowledge')}
            </Button>
          )}
        </section>
      )}
      {chosen !== null && <OwnerDialog found={found} chosen={chosen} onClose={() => setChosen(null)} />}
    </div>
  )
}

function PayoutFields({ found: { payout, settled, tx_hash } }: { readonly found: PayoutDecision }) {
  const { t } = useConsoleText()
  return (
    <dl className="grid gap-3 rounded-card border border-line bg-surface p-4 sm:grid-cols-2">
      <PlainField name={t('decide.field.amount')}>
        <AmountText amount={payout.amount ?? '?'} code={payout.currency_code} network={payout.network} />
      </PlainField>
      <PlainField name={t('decide.status')}>
        <Pill tone={payout.status === 'succeeded' ? 'ok' : payout.status === 'failed' ? 'bad' : 'wait'}>
          {t(`decide.payoutStatus.${payout.status}`)}
        </Pill>
      </PlainField>
      <PlainField name={t('decide.owner')}>
        {t(`decide.owner.${payout.owner ?? 'none'}`)}{' '}
        {payout.withdrawal_id !== null && (
          <LinkedId id={payout.withdrawal_id} name={t('decide.ofWithdrawal')} page="withdrawals" />
        )}
        {settled !== null && (
          <span className="block text-s text-ink-2">
            <DecidedBy did="owner" by={settled.by} at={settled.at} />
          </span>
        )}
      </PlainField>
      <PlainField name={t('decide.field.user')}>
        <IdText
          id={payout.user_reference_id}
          name={t('decide.field.user')}
          href={recordHref('users', payout.user_reference_id)}
        />
      </PlainField>
      <PlainField name={t('decide.field.time')}>
        <TimeText iso={payout.inserted_at ?? payout.first_seen_at} exactly />
      </PlainField>
      <DetailField name={t('decide.uuid')} value={payout.transaction_uuid} />
      <DetailField name={t('decide.field.address')} value={payout.to_address} grouped />
      <DetailField name={t('decide.hash')} value={tx_hash} />
      {payout.note !== null && <PlainField name={t('decide.note')}>{payout.note}</PlainField>}
    </dl>
  )
}

function Candidate({ owner, onChoose }: { readonly owner: PossibleOwner; readonly onChoose: (() => void) | null }) {
  const { t } = useConsoleText()
  const { withdrawal, compared, is_likely } = owner
  return (
    <article className="grid gap-2 rounded-card border border-line bg-surface p-4" aria-label={withdrawal.id}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <IdText id={withdrawal.id} name={t('decide.ofWithdrawal')} href={recordHref('withdrawals', withdrawal.id)} />
        <Pill tone={is_likely ? 'wait' : 'plain'}>{t(is_likely ? 'decide.likely' : 'decide.possible')}</Pill>
      </div>
      <ComparedTable compared={compared} code={withdrawal.currency} />
      {onChoose !== null && (
        <Button className="justify-self-start" onClick={onChoose}>
          {t('decide.give')}
        </Button>
      )}
    </article>
  )
}

function OwnerDialog({
  found,
  chosen,
  onClose,
}: {
  readonly found: PayoutDecision
  readonly chosen: Chosen
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  const decide = useDecide()
  const isNone = chosen === 'acknowledged'
  const isHeld = isNone ? found.needs_two : chosen.needs_two
  const given = isNone ? ({ acknowledged: true } as const) : { withdrawal_id: chosen.withdrawal.id }
  const act = t(isNone ? 'decide.acknowledge' : 'decide.give')
  const isElsewhere = !isNone && chosen.compared.some(({ field, is }) => field === 'address' && is === 'differ')
  return (
    <ReasonDialog
      open
      title={act}
      act={isHeld ? t('decide.propose') : act}
      onClose={onClose}
      onAct={async (reason) => {
        const path = `payouts/${encodeURIComponent(found.payout.transaction_uuid)}/owner`
        await decide(path, { ...given, reason }, ownedReply)
      }}
    >
      <p className="text-s">{t(isNone ? 'decide.does.acknowledge' : 'decide.does.give')}</p>
      {isHeld && <Notice tone="wait">{t('decide.needsTwo')}</Notice>}
      {isElsewhere && <Notice tone="unsure">{t('decide.elsewhere')}</Notice>}
      {!isNone && <ComparedTable compared={chosen.compared} code={found.payout.currency_code} />}
    </ReasonDialog>
  )
}
