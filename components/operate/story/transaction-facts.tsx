'use client'

import { Fragment } from 'react'
import type { StoryTransaction } from '#lib/contract/operate/story.ts'
import { useConsoleText } from '../context/texts.tsx'
import { AmountText } from '../ui/amount-text.tsx'

/** What stands about a transaction besides its status: whether it may be booked, and what was credited for it. */
export function TransactionFacts({ transaction }: { readonly transaction: StoryTransaction }) {
  const { t, rich } = useConsoleText()
  const { standing, credited, currency_code } = transaction
  const facts = [
    standing !== null && standing !== 'confirmed' && t(`story.standing.${standing}`),
    credited !== null &&
      (credited === '0'
        ? t('story.notCredited')
        : rich('story.credited', {
            amount: () => <AmountText amount={credited} code={currency_code ?? undefined} />,
          })),
  ].filter((fact) => fact !== false)
  if (facts.length === 0) return null
  return (
    <span className="text-s text-ink-2">
      {facts.map((fact, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          {fact}
        </Fragment>
      ))}
    </span>
  )
}
