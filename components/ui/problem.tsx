'use client'

import CircleAlert from 'lucide-react/icons/circle-alert'
import { useEffect, useState, type ReactNode } from 'react'
import { RequestFailure, type FailureCode } from '#lib/browser/request-failure.ts'
import type { Tone } from '#lib/browser/transaction-status.ts'
import { useSession } from '../shell/session.tsx'
import { useWords } from '../shell/words.tsx'
import { Button } from './button.tsx'
import { PROBLEM_WORDS } from './problem-words.ts'
import { SupportLink } from './support-link.tsx'
import { toneColour } from './tone.tsx'

/** A whole screen or section that cannot show what it is for. */
export function StateScreen({
  tone = 'plain',
  title,
  body,
  testId,
  heading: Heading = 'h2',
  children,
}: {
  readonly tone?: Tone
  /** `h1` where this is all that the page is about. */
  readonly heading?: 'h1' | 'h2'
  readonly title: string
  readonly body: ReactNode
  readonly testId: string
  readonly children?: ReactNode
}) {
  return (
    <section data-testid={testId} className="grid justify-items-center gap-3 px-2 py-10 text-center">
      <CircleAlert aria-hidden size={32} strokeWidth={1.6} className={toneColour(tone)} />
      <Heading className="text-l font-semibold text-balance">{title}</Heading>
      <div className="max-w-88 text-ink-2 text-pretty">{body}</div>
      {children}
    </section>
  )
}

/** What failed, as the server's first paint or a failed call knows it. */
export interface ProblemFacts {
  readonly code: FailureCode
  readonly requestId: string | null
  readonly retryAfterS?: number | undefined
}

export function problemFacts(error: unknown): ProblemFacts {
  if (!(error instanceof RequestFailure)) return { code: 'internal', requestId: null }
  return { code: error.code, requestId: error.facts.requestId, retryAfterS: error.facts.retryAfterS }
}

/** An error in words, with a way on: try again, or ask for help with the reference to quote. */
export function Problem({
  facts,
  retrying = false,
  onRetry,
}: {
  readonly facts: ProblemFacts
  readonly retrying?: boolean
  readonly onRetry?: (() => void) | undefined
}) {
  const { t } = useWords()
  const { supportUrl } = useSession()
  const words = PROBLEM_WORDS[facts.code]
  return (
    <StateScreen tone={words.tone} title={t(words.title)} body={t(words.body)} testId={`problem-${facts.code}`}>
      {words.retry && onRetry && (
        <Retry
          key={`${facts.requestId ?? ''} ${facts.retryAfterS ?? 0}`}
          waitS={facts.retryAfterS ?? 0}
          retrying={retrying}
          onRetry={onRetry}
        />
      )}
      <SupportLink supportUrl={supportUrl} reference={facts.requestId} />
    </StateScreen>
  )
}

/** Where the server said how long to wait, the button waits too. */
function Retry({ waitS, retrying, onRetry }: { waitS: number; retrying: boolean; onRetry: () => void }) {
  const { t } = useWords()
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
