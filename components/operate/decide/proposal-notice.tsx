'use client'

import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/tone.tsx'
import { proposalReply, type Proposal } from '#lib/contract/operate/decide.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { useOperator } from '../context/operator.tsx'
import { recordHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { IdText } from '../ui/id-text.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { useDecide } from './use-decide.ts'

/** A proposal that waits for a second person, with what this person may do about it. */
export function ProposalNotice({ proposal }: { readonly proposal: Proposal }) {
  const { t, decimal } = useConsoleText()
  const { role } = useOperator()
  const decide = useDecide()
  const [asks, setAsks] = useState<'confirmation' | 'refusal' | null>(null)
  const { id, kind, is_own, is_void, proposed_by, proposed_at, expires_at, reason } = proposal
  const amount = proposal.amount === null ? '' : decimal(proposal.amount)
  const what = t(`decide.proposes.${kind}`, {
    amount,
    code: proposal.currency_code,
    owner: proposal.withdrawal_id === null ? 'none' : 'withdrawal',
  })
  return (
    <Notice tone={is_void ? 'unsure' : 'wait'}>
      <p className="font-semibold">{t('decide.proposal', { name: proposed_by, what })}</p>
      <p className="break-words">{reason}</p>
      <ProposedId proposal={proposal} />
      <p className="text-ink-2">
        <TimeText iso={proposed_at} /> · {t('decide.expires')} <TimeText iso={expires_at} future />
      </p>
      {is_void && <p>{t('decide.void')}</p>}
      {mayActAs(role, 'agent') && (
        <div className="mt-2 flex flex-wrap gap-2">
          {!is_own && !is_void && (
            <Button variant="chip" onClick={() => setAsks('confirmation')}>
              {t('decide.confirm')}
            </Button>
          )}
          <Button variant="quiet" onClick={() => setAsks('refusal')}>
            {t(is_own ? 'decide.withdraw' : 'decide.refuse')}
          </Button>
        </div>
      )}
      {is_own && !is_void && <p className="text-ink-2">{t('decide.secondPerson')}</p>}
      <ReasonDialog
        open={asks !== null}
        title={t(asks === 'confirmation' ? 'decide.confirm' : is_own ? 'decide.withdraw' : 'decide.refuse')}
        act={t(asks === 'confirmation' ? 'decide.confirm' : is_own ? 'decide.withdraw' : 'decide.refuse')}
        onClose={() => setAsks(null)}
        onAct={async (given) => {
          await decide(`proposals/${id}/${asks ?? 'refusal'}`, { reason: given }, proposalReply)
        }}
      >
        <div className="text-s">
          <p>{what}</p>
          <ProposedId proposal={proposal} />
        </div>
      </ReasonDialog>
    </Notice>
  )
}

/** Which withdrawal a payout is given to, or which payout a withdrawal follows. */
function ProposedId({ proposal: { kind, withdrawal_id, transaction_uuid } }: { readonly proposal: Proposal }) {
  const { t } = useConsoleText()
  const [id, name, page] =
    kind === 'owner'
      ? [withdrawal_id, t('decide.ofWithdrawal'), 'withdrawals' as const]
      : [kind === 'sent' ? transaction_uuid : null, t('decide.payout'), 'payouts' as const]
  if (id === null) return null
  return (
    <p>
      {name}: <IdText id={id} name={name} href={recordHref(page, id)} />
    </p>
  )
}
