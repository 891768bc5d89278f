'use client'

import CircleAlert from 'lucide-react/icons/circle-alert'
import { useEffect, useState, type ReactNode } from 'react'
import { RequestFailure, type FailureCode } from '#lib/browser/request-failure.ts'
import type { Tone } from '#lib/browser/status-display.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { Button } from './button.tsx'
import { PROBLEM_MESSAGES } from './problem-messages.ts'
import { SupportLink } from './support-link.tsx'
import { toneColour } from './tone.tsx'
import { WholeEnd } from './whole-end.tsx'

/** Replaces a screen or a section that cannot show its content. */
export function StateScreen({
  tone = 'plain',
  title,
  body,
  testId,
  icon: Icon = CircleAlert,
  heading: Heading = 'h2',
  children,
}: {
  readonly tone?: Tone
  /** Defaults to a warning. */
  readonly icon?: typeof CircleAlert
  /** `h1` if it is the only content of the page. */
  readonly heading?: 'h1' | 'h2'
  readonly title: string
  readonly body: ReactNode
  readonly testId: string
  readonly children?: ReactNode
}) {
  return (
    <section
      data-testid={testId}
      className="shown-whole grid grid-cols-[minmax(0,1fr)] justify-items-center gap-3 px-2 py-10 text-center"
    >
      <Icon aria-hidden size={32} strokeWidth={1.6} className={toneColour(tone)} />
      <Heading className="max-w-full text-l font-semibold text-balance hyphens-auto">{title}</Heading>
      <div className="max-w-88 text-ink-2 text-pretty">{body}</div>
      {children}
      <WholeEnd />
    </section>
  )
}

/** What failed, in server rendering or in a call of the page. */
export interface ProblemDetails {
  readonly code: FailureCode
  readonly requestId: string | null
  readonly retryAfterS?: number | undefined
}

export function problemDetails(error: unknown): ProblemDetails {
  if (!(error instanceof RequestFailure)) return { code: 'internal', requestId: null }
  return { code: error.code, requestId: error.details.requestId, retryAfterS: error.details.retryAfterS }
}

/** An error message with a retry button, the support link and the reference to quote. */
export function ProblemScreen({
  details,
  retrying = false,
  onRetry,
}: {
  readonly details: ProblemDetails
  readonly retrying?: boolean
  readonly onRetry?: (() => void) | undefined
}) {
  const { t } = useTranslations()
  const { supportUrl, merchantName: site } = useSession()
  const messages = PROBLEM_MESSAGES[details.code]
  return (
    <StateScreen
      tone={messages.tone}
      title={t(messages.title)}
      body={
        site !== undefined && messages.body === 'problem.flow.body' ? t('site.offersNot', { site }) : t(messages.body)
      }
      testId={`problem-${details.code}`}
    >
      {messages.retry && onRetry && (
        <Retry
          key={`${details.requestId ?? ''} ${details.retryAfterS ?? 0}`}
          waitS={details.retryAfterS ?? 0}
          retrying={retrying}
          onRetry={onRetry}
        />
      )}
      <SupportLink supportUrl={supportUrl} reference={details.requestId} />
    </StateScreen>
  )
}

/** Counts down if the server sent Retry-After. */
function Retry({ waitS, retrying, onRetry }: { waitS: number; retrying: boolean; onRetry: () => void }) {
  const { t } = useTranslations()
  const [left, setLeft] = useState(waitS)
  const waiting = left > 0
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setInterval(() => setLeft((value) => value - 1), 1000)
    return () => clearInterval(timer)
  }, [waiting])
  return (
    <>
      <p className="min-h-5 text-s text-ink-2">{waiting && t('problem.retryIn', { seconds: left })}</p>
      <Button busy={retrying || waiting} onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </>
  )
}
