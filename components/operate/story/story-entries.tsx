'use client'

import { Fragment } from 'react'
import type { Story } from '#lib/contract/operate/story.ts'
import type { StoryEntry } from '#lib/contract/operate/story-entries.ts'
import { useConsoleText } from '../context/texts.tsx'
import { dayText } from './entry-time.tsx'
import { FollowedLine } from './followed-line.tsx'
import { SaidCard } from './said-card.tsx'

/** What the cashier did by itself, as a consequence of what was said before it. */
const FOLLOWS: readonly StoryEntry['kind'][] = ['state', 'posting', 'owner', 'delivery']

const isFollowing = (entry: StoryEntry): boolean =>
  (FOLLOWS.includes(entry.kind) && !(entry.kind === 'delivery' && entry.attempts.length > 0)) ||
  (entry.kind === 'settled' && entry.by === 'system')

/** The conversation, oldest first: who said what and when, and what followed. */
export function StoryEntries({ story }: { readonly story: Story }) {
  const { t } = useConsoleText()
  const days = Map.groupBy(story.entries, ({ at }) => dayText(at))
  return (
    <section aria-labelledby="story-entries">
      <h2 id="story-entries" className="font-semibold">
        {t('story.entries')}
      </h2>
      {story.is_cut && <p className="mt-1 text-s text-ink-2">{t('story.cut')}</p>}
      <ol className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-2">
        {[...days].map(([day, entries]) => (
          <Fragment key={day}>
            <li className="pt-2 text-xs font-semibold text-ink-2 first:pt-0">{day}</li>
            {entries.map((entry) => (
              <li
                key={entry.key}
                data-row
                data-kind={entry.kind}
                tabIndex={-1}
                className="rounded-card outline-offset-2 focus-visible:outline-2 focus-visible:outline-accent"
              >
                {isFollowing(entry) ? (
                  <FollowedLine entry={entry} story={story} />
                ) : (
                  <SaidCard entry={entry} story={story} />
                )}
              </li>
            ))}
          </Fragment>
        ))}
      </ol>
    </section>
  )
}
