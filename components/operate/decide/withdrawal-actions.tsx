'use client'

import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field, fieldInput } from '#components/ui/field.tsx'
import { Notice } from '#components/ui/tone.tsx'
import { withdrawalDecisionQuery } from '#lib/browser/operate/decide.ts'
import { decidedReply, settledReply, type WithdrawalDecision } from '#lib/contract/operate/decide.ts'
import { mayActAs } from '#lib/contract/operate/operators.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useOperator } from '../context/operator.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { ComparedTable } from './compared-table.tsx'
import { DecidedBy } from './decided-by.tsx'
import { EvidenceList } from './evidence-list.tsx'
import { ProposalNotice } from './proposal-notice.tsx'
import { useDecide } from './use-decide.ts'

/** What a person may decide about a withdrawal, and what speaks for each decision. For its story page. */
export function WithdrawalActions({ id }: { readonly id: string }) {
  const query = useQuery(withdrawalDecisionQuery(useConsoleClient(), id))
  if (query.data === undefined)
    return query.error ? <LoadingFailure error={query.error} retry={() => void query.refetch()} /> : null
  return <Decision found={query.data} />
}

/** Such a payout may be this withdrawal's, so the server refuses `not_sent`. */
const hasOpenPayout = (evidence: WithdrawalDecision['evidence']): boolean =>
  evidence.some(({ code }) => code === 'open_payout_fits' || code === 'open_payout_differs')

type Act = 'approve' | 'decline' | 'sent' | 'not_sent'

function Decision({ found }: { readonly found: WithdrawalDecision }) {
  const { t } = useConsoleText()
  const { role } = useOperator()
  const [act, setAct] = useState<Act | null>(null)
  const mayAct = mayActAs(role, 'agent')
  const { withdrawal, decided, evidence, proposal, can_approve, can_decline, can_settle } = found
  const ownersFirst = can_settle && hasOpenPayout(evidence)
  const acts: readonly (readonly [Act, boolean])[] = [
    ['approve', can_approve],
    ['decline', can_decline],
    ['sent', can_settle],
    ['not_sent', can_settle && !ownersFirst],
  ]
  const offered = acts.filter(([, can]) => can)
  if (offered.length === 0 && decided === null && proposal === null) return null
  return (
    <section aria-labelledby="decision" className="grid gap-4 rounded-card border border-line bg-surface p-4">
      <h2 id="decision" className="font-semibold">
        {t('decide.decision')}
      </h2>
      {decided !== null && (
        <p className="text-s">
          <DecidedBy did={decided.what} by={decided.by} at={decided.at} />
        </p>
      )}
      {proposal !== null && <ProposalNotice proposal={proposal} />}
      {can_settle && <EvidenceList evidence={evidence} code={withdrawal.currency} />}
      {offered.length > 0 &&
        (mayAct ? (
          <div className="flex flex-wrap gap-2">
            {offered.map(([name]) => (
              <Button key={name} onClick={() => setAct(name)}>
                {t(`decide.act.${name}`)}
              </Button>
            ))}
          </div>
        ) : (
          <p className="text-s text-ink-2">{t('decide.viewer')}</p>
        ))}
      {ownersFirst && <p className="text-s">{t('decide.ownersFirst')}</p>}
      {act !== null && <ActDialog act={act} found={found} onClose={() => setAct(null)} />}
    </section>
  )
}

/** One act: what it does, what the user will read, and the reason. */
function ActDialog({
  act,
  found,
  onClose,
}: {
  readonly act: Act
  readonly found: WithdrawalDecision
  readonly onClose: () => void
}) {
  const { t } = useConsoleText()
  const decide = useDecide()
  const [message, setMessage] = useState('')
  const [uuid, setUuid] = useState(found.payouts[0]?.payout.transaction_uuid ?? '')
  const { withdrawal, needs_two, payouts } = found
  const path = `withdrawals/${encodeURIComponent(withdrawal.id)}`
  const chosen = payouts.find(({ payout }) => payout.transaction_uuid === uuid)
  const isHeld = act === 'not_sent' ? needs_two : act === 'sent' && (chosen?.needs_two ?? needs_two)
  const onAct = async (reason: string): Promise<void> => {
    if (act === 'approve' || act === 'decline') {
      const user_message = message.trim() === '' ? null : message
      await decide(`${path}/${act === 'approve' ? 'approval' : 'decline'}`, { reason, user_message }, decidedReply)
    } else
      await decide(
        `${path}/resolution`,
        { outcome: act, reason, ...(act === 'sent' && { transaction_uuid: uuid.trim() }) },
        settledReply,
      )
  }
  return (
    <ReasonDialog
      open
      title={t(`decide.act.${act}`)}
      act={t(isHeld ? 'decide.propose' : `decide.act.${act}`)}
      onAct={onAct}
      onClose={onClose}
    >
      <Subject withdrawal={withdrawal} />
      <p className="text-s">{t(`decide.does.${act}`)}</p>
      {act === 'not_sent' && <Risk evidence={found.evidence} />}
      {isHeld && <Notice tone="wait">{t('decide.needsTwo')}</Notice>}
      {act === 'sent' && <PayoutChoice found={found} uuid={uuid} onChoose={setUuid} />}
      {(act === 'approve' || act === 'decline') && (
        <MessageField locale={found.locale} value={message} onChange={setMessage} />
      )}
      <UserReads found={found} act={act} message={message} />
    </ReasonDialog>
  )
}

/** What an act is about, since the dialog covers the page. */
function Subject({ withdrawal }: Pick<WithdrawalDecision, 'withdrawal'>) {
  const { t } = useConsoleText()
  const { amount, currency, network, wallet_address, user_reference_id } = withdrawal
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-s">
      <dt className="text-ink-2">{t('decide.field.amount')}</dt>
      <dd className="font-semibold">
        <AmountText amount={amount} code={currency} network={network} />
      </dd>
      <dt className="text-ink-2">{t('decide.field.address')}</dt>
      <dd translate="no" className="font-mono break-all">
        {wallet_address}
      </dd>
      <dt className="text-ink-2">{t('decide.field.user')}</dt>
      <dd translate="no" className="break-all">
        {user_reference_id}
      </dd>
    </dl>
  )
}

/** What may go wrong when a person says that a withdrawal was not sent. */
function Risk({ evidence }: Pick<WithdrawalDecision, 'evidence'>) {
  const { t } = useConsoleText()
  const early = evidence.find(({ code }) => code === 'absence_not_due')
  return (
    <Notice tone="unsure">
      <p>{t('decide.risk')}</p>
      {early?.at != null && (
        <p>
          {t('decide.evidence.absence_not_due')} <TimeText iso={early.at} exactly />
        </p>
      )}
    </Notice>
  )
}

/** The console speaks English. */
const languageName = (locale: string): string => new Intl.DisplayNames('en', { type: 'language' }).of(locale) ?? locale

function MessageField({
  locale,
  value,
  onChange,
}: {
  readonly locale: string | null
  readonly value: string
  readonly onChange: (text: string) => void
}) {
  const { t } = useConsoleText()
  const id = useId()
  return (
    <Field
      id={id}
      label={t('decide.message')}
      fault={null}
      hint={locale === null ? t('decide.noLanguage') : t('decide.language', { language: languageName(locale) })}
    >
      <textarea
        id={id}
        rows={2}
        maxLength={500}
        value={value}
        lang={locale ?? undefined}
        dir="auto"
        aria-describedby={`${id}-note`}
        className={`${fieldInput} py-2`}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

/** What the user's page will say, in the user's language. */
function UserReads({
  found,
  act,
  message,
}: {
  readonly found: WithdrawalDecision
  readonly act: Act
  readonly message: string
}) {
  const { t } = useConsoleText()
  const words = message.trim()
  return (
    <div className="rounded-small bg-sunken px-3.5 py-3 text-s">
      <p className="font-semibold">{t('decide.userReads')}</p>
      <div lang={found.locale ?? 'en'} dir="auto">
        <p>{found.user_reads[act]}</p>
        {words !== '' && (
          <p className="break-words">
            {found.user_reads.says} {words}
          </p>
        )}
      </div>
    </div>
  )
}

/** The payouts that may be named, the likeliest first, or another by its uuid. */
function PayoutChoice({
  found,
  uuid,
  onChoose,
}: {
  readonly found: WithdrawalDecision
  readonly uuid: string
  readonly onChoose: (uuid: string) => void
}) {
  const { t, decimal } = useConsoleText()
  const id = useId()
  const chosen = found.payouts.find(({ payout }) => payout.transaction_uuid === uuid)
  return (
    <div className="grid gap-3">
      {found.payouts.length > 0 && (
        <fieldset className="grid gap-1">
          <legend className="text-s font-semibold">{t('decide.whichPayout')}</legend>
          {found.payouts.map(({ payout }) => (
            <label key={payout.transaction_uuid} className="flex min-h-11 items-center gap-2 text-s">
              <input
                type="radio"
                name={id}
                checked={payout.transaction_uuid === uuid}
                onChange={() => onChoose(payout.transaction_uuid)}
              />
              <span className="min-w-0 break-all" translate="no">
                {payout.amount === null ? '?' : decimal(payout.amount)} {payout.currency_code} ·{' '}
                {payout.transaction_uuid}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <Field id={`${id}-uuid`} label={t('decide.payoutUuid')} fault={null} hint={t('decide.payoutUuidHint')}>
        <input
          id={`${id}-uuid`}
          value={uuid}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-uuid-note`}
          className={`${fieldInput} font-mono`}
          onChange={(event) => onChoose(event.target.value)}
        />
      </Field>
      {chosen !== undefined && <ComparedTable compared={chosen.compared} code={found.withdrawal.currency} />}
    </div>
  )
}
