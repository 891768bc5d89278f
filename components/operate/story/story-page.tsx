'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { storyQuery } from '#lib/browser/operate/stories.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { Story } from '#lib/contract/operate/story.ts'
import { useConsoleClient } from '../context/client.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingFailure } from '../ui/loading-failure.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { StoryComparisons } from './story-comparisons.tsx'
import { StoryEntries } from './story-entries.tsx'
import { StoryHead } from './story-head.tsx'
import { StoryNext } from './story-next.tsx'

/** What an operator can do about what a story is about. */
type StoryActions = (story: Story) => ReactNode

/** The whole story of a transaction or a withdrawal: what stands, what happens next, and who said what and when. */
export function StoryPage({
  of,
  id,
  actions,
}: {
  readonly of: 'transactions' | 'withdrawals'
  readonly id: string
  readonly actions: StoryActions
}) {
  const { t } = useConsoleText()
  const story = useQuery(storyQuery(useConsoleClient(), of, id))
  if (story.data === undefined) {
    if (story.isPending) return <p className="sr-only">{t('console.loading')}</p>
    if (story.error instanceof RequestFailure && story.error.code === 'not_found')
      return <EmptyState title={t('story.notFound')}>{t('story.notFoundHelp')}</EmptyState>
    return <LoadingFailure error={story.error} retry={() => void story.refetch()} />
  }
  return (
    <StoryView
      story={story.data}
      actions={actions}
      refresh={
        <Button variant="chip" busy={story.isFetching} onClick={() => void story.refetch()}>
          {t('story.refresh')}
        </Button>
      }
    />
  )
}

function StoryView({
  story,
  actions,
  refresh,
}: {
  readonly story: Story
  readonly actions: StoryActions
  readonly refresh: ReactNode
}) {
  const { t } = useConsoleText()
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <StoryHead story={story} refresh={refresh} />
      {actions(story)}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <StoryEntries story={story} />
        <div className="order-first grid content-start gap-6 xl:order-last">
          <StoryNext story={story} />
          <StoryComparisons comparisons={story.comparisons} />
        </div>
      </div>
      <p className="text-xs text-ink-3">
        {t('story.readAt')} <TimeText iso={story.read_at} />
      </p>
    </article>
  )
}
