'use client'

import Circle from 'lucide-react/icons/circle-dot'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import type { NextStep, Story } from '#lib/contract/operate/story.ts'
import { ConsoleLink } from '../context/address.tsx'
import { recordHref, type RecordPage } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { useReasonText } from '../ui/use-reason-text.ts'

/** Where a person settles it. */
const PAGES: Partial<Record<NextStep['what'], RecordPage>> = {
  owner: 'payouts',
  person: 'quarantine',
  release: 'quarantine',
  delivery: 'deliveries',
  delivery_dead: 'deliveries',
}

/** What happens next and when, and what one would expect and does not find. */
export function StoryNext({ story: { next, missing } }: { readonly story: Story }) {
  const { t } = useConsoleText()
  return (
    <section className="rounded-card border border-line bg-surface px-4 py-3.5">
      <h2 className="font-semibold">{t('story.next')}</h2>
      {next.length === 0 ? (
        <p className="mt-1 text-s text-ink-2">{t('story.nothingNext')}</p>
      ) : (
        <ul className="mt-2 grid gap-2 text-s">
          {next.map((step) => (
            <Line key={`${step.what} ${step.at ?? ''} ${step.id ?? ''}`} icon={Circle}>
              <Step step={step} />
            </Line>
          ))}
        </ul>
      )}
      {missing.length > 0 && (
        <>
          <h2 className="mt-4 font-semibold">{t('story.missing')}</h2>
          <ul className="mt-2 grid gap-2 text-s">
            {missing.map((gap) => (
              <Line key={gap} icon={TriangleAlert}>
                {t(`story.gap.${gap}`)}
              </Line>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Line({ icon: Icon, children }: { readonly icon: typeof Circle; readonly children: ReactNode }) {
  return (
    <li className="flex gap-2">
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-2" />
      <span className="min-w-0">{children}</span>
    </li>
  )
}

function Step({ step: { what, at, count, reason, id } }: { readonly step: NextStep }) {
  const { t } = useConsoleText()
  const reasonText = useReasonText()
  const page = PAGES[what]
  const text = t(`story.step.${what}`, { count: count ?? 0, reason: reason === null ? '' : reasonText(reason) })
  return (
    <>
      {page === undefined || id === null ? (
        text
      ) : (
        <ConsoleLink href={recordHref(page, id)} className="text-accent underline underline-offset-2">
          {text}
        </ConsoleLink>
      )}
      {at !== null && (
        <>
          {' '}
          <span className="font-semibold">
            <TimeText iso={at} future={what !== 'overdue_told'} />
          </span>
        </>
      )}
    </>
  )
}
