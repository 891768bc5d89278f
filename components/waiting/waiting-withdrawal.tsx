'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { cancelWithdrawal, keys } from '#lib/browser/queries.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { WithdrawalRuleName, WithdrawalWait } from '#lib/contract/cashier.ts'
import type { LaterKey } from '#lib/i18n/translator.ts'
import { useBffClient } from '../context/page-runtime.tsx'
import { useSession } from '../context/session.tsx'
import { useTranslations, type Translations } from '../context/translations.tsx'
import { useLaterTranslations } from '../expectations/use-expectations.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { Button } from '../ui/button.tsx'
import { focusHere } from '../ui/focus.ts'
import { useTimeText } from '../ui/time.tsx'
import { Notice } from '../ui/tone.tsx'
import { useIsPast } from '../ui/use-is-past.ts'

/** Why a person checks it. No limit is told. */
const REASONS: Readonly<Record<WithdrawalRuleName, LaterKey | null>> = {
  review_above: 'held.above',
  review_new_address: 'held.newAddress',
  review_more_than: 'held.often',
  wait_for_new_address: null,
}

interface Waiting {
  readonly id: string
  readonly amount: string
  readonly code: string
  readonly wait: WithdrawalWait
}

/** A withdrawal that waits: why, until when, and a button that cancels it. Loaded on demand. */
export default function WaitingWithdrawal({
  onEnd,
  ...waiting
}: Waiting & {
  /** Takes the focus when the withdrawal was cancelled. */
  readonly onEnd: () => void
}) {
  const later = useLaterTranslations()
  const { mayCancel } = useSession()
  if (later === null) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5" data-testid="waiting">
      {waiting.wait.review.length > 0 && <Why later={later} wait={waiting.wait} />}
      {mayCancel && <Cancel later={later} waiting={waiting} onEnd={onEnd} />}
    </div>
  )
}

function Why({ later, wait }: { readonly later: Translations<LaterKey>; readonly wait: WithdrawalWait }) {
  const timeText = useTimeText()
  const { review, wait_until: until, awaits_decision: isChecked } = wait
  const time = useIsPast(until) || until === null ? null : timeText(until, 'date-time')
  if (!isChecked) return time !== null && <Notice tone="wait">{later.t('held.waits', { time })}</Notice>
  const reasons = review.flatMap((name) => REASONS[name] ?? [])
  return (
    <Notice tone="wait">
      <p>{later.t('held.check')}</p>
      <ul className="mt-1 list-disc ps-4">
        {reasons.map((key) => (
          <li key={key}>{later.t(key)}</li>
        ))}
      </ul>
      {time !== null && <p className="mt-1">{later.t('held.waitsToo', { time })}</p>}
    </Notice>
  )
}

function Cancel({
  later,
  waiting: { id, amount, code },
  onEnd,
}: {
  readonly later: Translations<LaterKey>
  readonly waiting: Waiting
  readonly onEnd: () => void
}) {
  const { t, decimal } = useTranslations()
  const { showsBalances } = useSession()
  const client = useBffClient()
  const cache = useQueryClient()
  const announce = useAnnounce()
  const [state, setState] = useState<'idle' | 'asked' | 'busy' | 'late' | 'failed'>('idle')
  const opener = useRef<HTMLButtonElement>(null)
  const wasAsked = useRef(false)
  useEffect(() => {
    if (state === 'idle' && wasAsked.current) focusHere(opener.current)
    wasAsked.current = state !== 'idle'
  }, [state])
  const shown = { amount: decimal(amount), code }

  const cancel = async (): Promise<void> => {
    setState('busy')
    try {
      const cancelled = await cancelWithdrawal(client, id)
      announce(t('announce.payout', { ...shown, status: t('status.cancelled') }))
      onEnd()
      cache.setQueryData(keys.withdrawal(id), cancelled)
    } catch (error) {
      setState(error instanceof RequestFailure && error.code === 'conflict' ? 'late' : 'failed')
      void cache.invalidateQueries({ queryKey: keys.withdrawal(id) })
    }
    for (const queryKey of [keys.balances, keys.transactions]) void cache.invalidateQueries({ queryKey })
  }

  if (state === 'idle')
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <p className="text-s text-ink-2">{later.t('held.stop')}</p>
        <Button ref={opener} className="w-full" onClick={() => setState('asked')}>
          {later.t('held.cancel')}
        </Button>
      </div>
    )
  return (
    <div
      role="group"
      aria-label={later.t('held.cancel')}
      className="grid grid-cols-[minmax(0,1fr)] gap-2.5 rounded-card border border-line p-3.5"
    >
      <p className="text-s">{later.t('held.question', { ...shown, held: showsBalances ? 'yes' : 'no' })}</p>
      {(state === 'late' || state === 'failed') && (
        <p role="alert" className="text-s text-bad">
          {later.t(state === 'late' ? 'held.late' : 'withdraw.known.failed')}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button ref={focusHere} className="flex-auto" disabled={state === 'busy'} onClick={() => setState('idle')}>
          {later.t('held.keep')}
        </Button>
        <Button className="flex-auto" busy={state === 'busy'} onClick={() => void cancel()}>
          {later.t('held.yes')}
        </Button>
      </div>
    </div>
  )
}
