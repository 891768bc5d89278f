'use client'

import { useQueryClient } from '@tanstack/react-query'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { doubtAbout } from '#lib/addresses/doubtful-destination.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { splitTag } from '#lib/addresses/tags.ts'
import { knownAddresses } from '#lib/browser/known-addresses.ts'
import type { RequestFailure } from '#lib/browser/request-failure.ts'
import { oneTabAtATime } from '#lib/browser/one-tab-at-a-time.ts'
import type { WithdrawalAttempt } from '#lib/browser/withdrawal-attempt.ts'
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { ReviewNotes, ReviewValue } from '../expectations/review-notes.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { Amount, fitting } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { focusField, focusStart } from '../ui/focus.ts'
import { SupportLink } from '../ui/support-link.tsx'
import { useTimeText } from '../ui/time.tsx'
import { Notice } from '../ui/tone.tsx'
import { REQUEST_MESSAGES } from './request-messages.ts'
import { doubtMessage } from './doubt-messages.ts'
import { useClickjackingGuard } from './clickjacking-guard.ts'
import { asksForLastCharacters, isEndOf } from './last-characters.ts'
import { LastCharactersField } from './last-characters-field.tsx'
import { usePressDelay } from './press-delay.ts'
import { useSteadyFrame } from './steady-frame.ts'
import { LookAlikeWarning } from './look-alike-warning.tsx'
import { useFamiliarity, type Familiarity } from './use-familiarity.ts'
import { useRepeatCheck } from './use-repeat-check.ts'

/** The labels of the button: at first, and when it asks once more before it sends. */
const LABELS = {
  first: 'withdraw.check.confirm',
  again: 'withdraw.check.confirmAgain',
  anyway: 'withdraw.check.confirmAnyway',
} as const
type Question = Exclude<keyof typeof LABELS, 'first'>

/** The last step before money moves: all details in full, and the button that sends. */
export default function Review({
  currency,
  request,
  attempt,
  sending,
  failure,
  onBack,
  onSend,
}: {
  readonly currency: Currency
  readonly request: WithdrawalBody
  readonly attempt: WithdrawalAttempt
  readonly sending: boolean
  readonly failure: RequestFailure | null
  readonly onBack: () => void
  /** Resolves when the request is answered. */
  readonly onSend: (request: WithdrawalBody) => Promise<void>
}) {
  const { t, decimal } = useTranslations()
  const { id: sessionId, supportUrl, confirmAbove } = useSession()
  const title = useRef<HTMLHeadingElement>(null)
  const delay = usePressDelay()
  const { ref: confirm, warned, acceptPress } = useClickjackingGuard(delay)
  const steady = useSteadyFrame()
  const [tooEarly, setTooEarly] = useState(false)
  const { repeated, check } = useRepeatCheck(request, currency.network, attempt)
  const [checking, setChecking] = useState(false)
  /** An unexpected error occurred. */
  const [thrown, setThrown] = useState(false)
  const [asked, setAsked] = useState<Question | null>(null)
  const [last, setLast] = useState({ typed: '', wrong: false })
  const lastInput = useRef<HTMLInputElement>(null)
  const { sent, alike, check: checkAlike } = useFamiliarity(request, currency.network)
  const [compared, setCompared] = useState(false)
  /** How often the user pressed Send although the destination resembles a known address. */
  const [missed, setMissed] = useState(0)
  const tick = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (missed > 0) focusField(tick.current)
  }, [missed])
  useEffect(() => focusStart(title.current), [])
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])
  const { currency_code: code, network } = currency
  const amount = decimal(request.amount)
  const cache = useQueryClient()
  const [doubt] = useState(() => doubtAbout(network, request.wallet_address, knownAddresses(cache)))
  const { tag } = splitTag(network, request.wallet_address)
  const sum = `${amount}\u00a0${code}`
  const asksForLast = asksForLastCharacters(confirmAbove, code, request.amount)
  const hasLeft = (): boolean => left.current
  const checkAndSend = async (): Promise<void> => {
    if (hasLeft()) return
    if (!compared && (await checkAlike()) !== null) {
      setMissed((count) => count + 1)
      return
    }
    const isRepeat = asked === null && (await check())
    if (hasLeft()) return
    const question = isRepeat ? 'again' : doubt && 'anyway'
    if (asked !== null || question === null) return onSend(request)
    setAsked(question)
    delay.begin()
  }
  const press = async (pressedMs: number): Promise<void> => {
    setTooEarly(!steady)
    if (!steady || !acceptPress(pressedMs)) return
    if (asksForLast && !isEndOf(request, last.typed)) {
      setLast({ ...last, wrong: true })
      focusField(lastInput.current)
      return
    }
    setChecking(true)
    setThrown(false)
    try {
      await oneTabAtATime(navigator.locks, `cashier.withdrawal.${sessionId}`, checkAndSend)
    } catch (error) {
      setThrown(true)
      throw error
    } finally {
      setChecking(false)
    }
  }
  const label = t(LABELS[asked ?? 'first'], { amount, code })
  const doubted = doubt && doubtMessage(doubt, network)
  const problem = failure ? REQUEST_MESSAGES[failure.code] : thrown && REQUEST_MESSAGES.internal
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3.5" data-testid="withdraw-review">
      <h2 ref={title} tabIndex={-1} className="text-l font-semibold outline-none">
        {t('withdraw.check.title')}
      </h2>
      <dl className="@container grid grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line p-3.5">
        <Line name={t('withdraw.check.send')}>
          <span className="text-xl font-semibold">
            <Amount value={request.amount} code={code} />
          </span>
          <ReviewValue amount={request.amount} of={{ code, network }} />
        </Line>
        <Line name={t('withdraw.check.network')}>
          <b className="font-semibold" translate="no">
            {network}
          </b>
        </Line>
        <Line name={t('withdraw.check.to')}>
          <AddressText address={request.wallet_address} />
          <SentBefore sent={sent} />
        </Line>
        {tag !== null && (
          <Line name={t('deposit.tag')}>
            <b className="font-mono [overflow-wrap:anywhere]" translate="no">
              {tag}
            </b>
          </Line>
        )}
      </dl>
      <ReviewNotes amount={request.amount} of={{ code, network }} />
      {doubted && (
        <Notice tone="bad" role="alert">
          {t(doubted.key, doubted.values)}
        </Notice>
      )}
      {alike ? (
        <LookAlikeWarning
          network={network}
          destination={request.wallet_address}
          known={alike}
          compared={compared}
          missed={missed > 0}
          disabled={sending}
          tickRef={tick}
          onCompare={setCompared}
        />
      ) : (
        <Notice tone="wait">{t('withdraw.check.warning')}</Notice>
      )}
      {asksForLast && (
        <LastCharactersField
          {...last}
          disabled={sending || checking}
          inputRef={lastInput}
          onType={(typed) => setLast({ typed, wrong: false })}
        />
      )}
      {tooEarly && (
        <Notice tone="wait" role="alert">
          {t('withdraw.check.notReady')}
        </Notice>
      )}
      {warned && (
        <Notice tone="wait" role="alert">
          {t('withdraw.check.covered')}
        </Notice>
      )}
      {(repeated || asked === 'again') && !sending && (
        <Notice tone="wait" role="alert">
          {t('withdraw.check.repeated')}
        </Notice>
      )}
      {problem && (
        <Notice tone={problem.tone} role="alert">
          <p>{t(problem.message)}</p>
          <SupportLink supportUrl={supportUrl} reference={failure?.details.requestId ?? null} />
        </Notice>
      )}
      <div className="flex flex-wrap gap-2.5">
        <Button className="min-w-0 flex-1 basis-[6rem]" disabled={sending || checking} onClick={onBack}>
          {t('common.back')}
        </Button>
        <Button
          ref={confirm}
          variant="primary"
          className={`min-w-0 flex-[1.6] ${sum.length > 14 ? 'basis-full' : 'basis-[9rem]'} text-balance`}
          busy={sending || checking || delay.waiting}
          aria-disabled={!steady}
          // The browser's own event has the time of the press; React replaces a time of 0 with the current time.
          onClick={({ nativeEvent }) => void press(nativeEvent.timeStamp)}
          // A held key or presses in quick succession answer no question.
          onKeyDown={(event) => {
            if (event.repeat) event.preventDefault()
            if (event.key === 'Enter' || event.key === ' ') delay.take(event.nativeEvent.timeStamp)
          }}
          onPointerDown={({ nativeEvent }) => delay.take(nativeEvent.timeStamp)}
        >
          {/* The hidden labels keep the height: Chromium drops presses for half a second after a frame's size changed. */}
          <span className="@container min-w-0 grow">
            <span className={`grid [overflow-wrap:anywhere] ${fitting(sum)}`}>
              {Object.values(LABELS).map((key) => (
                <span key={key} aria-hidden className="invisible col-start-1 row-start-1">
                  {t(key, { amount, code })}
                </span>
              ))}
              <span className="col-start-1 row-start-1 self-center">
                {sending && <LoaderCircle aria-hidden size={18} className="turning me-2 inline align-[-0.2em]" />}
                <span>
                  {sending || checking || !steady ? t(sending ? 'withdraw.check.sending' : 'status.checking') : label}
                </span>
              </span>
            </span>
          </span>
        </Button>
      </div>
    </section>
  )
}

/** Has its height before the list is known: a new height of the frame would start another wait for the button. */
function SentBefore({ sent }: Pick<Familiarity, 'sent'>) {
  const { t } = useTranslations()
  const timeText = useTimeText()
  return (
    <p className="min-h-[1lh] text-s text-ink-2" data-testid="sent-before">
      {sent?.name && (
        <>
          <bdi className="font-semibold text-ink [overflow-wrap:anywhere]" translate="no">
            {sent.name}
          </bdi>
          <br />
        </>
      )}
      {sent !== undefined && (
        <span>
          {sent === null
            ? t('withdraw.check.newAddress')
            : t('withdraw.check.sentBefore', { date: timeText(sent.last_sent_at, 'day') })}
        </span>
      )}
    </p>
  )
}

const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
    <dt className="text-s text-ink-2">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
)
