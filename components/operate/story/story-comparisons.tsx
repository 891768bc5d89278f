'use client'

import { Pill } from '#components/ui/tone.tsx'
import type { Tone } from '#lib/browser/status-display.ts'
import type { StoryComparison, StoryVerdict } from '#lib/contract/operate/story-comparison.ts'
import { useConsoleText } from '../context/texts.tsx'

const TONES: Readonly<Record<StoryVerdict, Tone>> = { agree: 'ok', unknown: 'plain', differ: 'bad' }
const ORDER: Readonly<Record<StoryVerdict, number>> = { differ: 0, agree: 1, unknown: 2 }

/** What each source says, field by field: first what differs. */
export function StoryComparisons({ comparisons }: { readonly comparisons: readonly StoryComparison[] }) {
  const { t } = useConsoleText()
  if (comparisons.length === 0) return null
  const sorted = comparisons.toSorted((a, b) => ORDER[a.verdict] - ORDER[b.verdict])
  return (
    <section className="rounded-card border border-line bg-surface px-4 py-3.5">
      <h2 className="font-semibold">{t('story.comparisons')}</h2>
      <dl className="mt-2 grid gap-3 text-s">
        {sorted.map((comparison) => (
          <Comparison key={comparison.field} comparison={comparison} />
        ))}
      </dl>
    </section>
  )
}

/** Sources that say the same are named together. */
function Comparison({ comparison: { field, verdict, values } }: { readonly comparison: StoryComparison }) {
  const { t } = useConsoleText()
  const told = Map.groupBy(values, ({ value }) => value)
  return (
    <div className="border-t border-line pt-2.5 first:border-t-0 first:pt-0">
      <dt className="flex items-center justify-between gap-2">
        <span className="text-ink-2">{t(`story.field.${field}`)}</span>
        <Pill tone={TONES[verdict]}>{t(`story.verdict.${verdict}`)}</Pill>
      </dt>
      {[...told].map(([value, sources]) => (
        <dd key={value} className="mt-0.5">
          <code translate="no" className="font-mono break-all">
            {value}
          </code>{' '}
          <span className="text-xs text-ink-2">
            {sources.map(({ source }) => t(`story.source.${source}`)).join(', ')}
          </span>
        </dd>
      ))}
    </div>
  )
}
