'use client'

import { useQuery } from '@tanstack/react-query'
import Clock from 'lucide-react/icons/clock'
import { Suspense, useEffect, useRef, useState } from 'react'
import { historyQuery, readHistoryView } from '#lib/browser/history-query.ts'
import { findAgain, historyItem, type HistoryItem } from '#lib/browser/history-items.ts'
import { mergeLive } from '#lib/browser/live-transactions.ts'
import { transactionsPageQuery } from '#lib/browser/queries.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'
import { FlowSkeleton } from '../ui/skeleton.tsx'
import { HydrationReport } from '../shell/hydration-report.tsx'
import { useLiveTransactions } from '../shell/use-live-transactions.ts'
import { useLocation } from '../context/location.tsx'
import { useNavigation } from '../context/navigation.tsx'
import { useBffClient } from '../context/page-runtime.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useHydrated } from '../ui/hydrated.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { ProblemScreen, problemDetails, StateScreen, type ProblemDetails } from '../ui/problem-screen.tsx'
import { Notice } from '../ui/tone.tsx'
import { HistoryFilters } from './history-filters.tsx'
import { HistoryList } from './history-list.tsx'
import { HistoryPages } from './history-pages.tsx'
import { SaveCsv } from './save-csv.tsx'

const DetailsDialog = lazyPart(() => import('./details-dialog.tsx'))

/** `serverFailure`: why the server rendered without the list; the page's own fetch replaces it. */
export function HistoryScreen({ serverFailure = null }: { readonly serverFailure?: ProblemDetails | null }) {
  const { query: search } = useLocation()
  const view = readHistoryView((name) => search.get(name))
  const { setQuery, queryPending } = useNavigation()
  const query = useQuery(transactionsPageQuery(useBffClient(), historyQuery(view)))
  const live = useLiveTransactions()
  const hydrated = useHydrated()
  const [opened, setOpened] = useState<HistoryItem | null>(null)
  const [dialogNeeded, setDialogNeeded] = useState(false)

  const isFirstPage = view.before !== null && query.data?.page_info.has_previous_page === false
  useEffect(() => {
    // Without a cursor, the first page also has rows that the gateway does not list yet.
    if (isFirstPage) setQuery({ before: null })
  }, [isFirstPage, setQuery])

  /** A small element above the list, to scroll to: an element taller than the screen counts as in view everywhere. */
  const start = useRef<HTMLDivElement>(null)
  const cursor = view.after ?? view.before
  const shownCursor = useRef(cursor)
  useEffect(() => {
    if (shownCursor.current === cursor) return
    shownCursor.current = cursor
    start.current?.scrollIntoView({ block: 'nearest' })
  }, [cursor])

  const items = (query.data?.edges ?? []).map(({ node }) => historyItem(mergeLive(node, live)))
  const open = opened && findAgain(items, opened)
  const failure = query.error ? problemDetails(query.error) : serverFailure
  return (
    <div data-scripts={hydrated ? 'on' : 'off'} className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
      <HydrationReport />
      <div ref={start}>
        <HistoryFilters view={view} />
      </div>
      {query.data ? (
        <div
          aria-busy={queryPending}
          className={`grid grid-cols-[minmax(0,1fr)] gap-3.5 transition-opacity ${queryPending ? 'opacity-55' : ''}`}
        >
          {query.data.stale === true && <AboutList testId="stale" text="history.stale" />}
          {query.data.left_out !== undefined && <AboutList testId="left-out" text="history.leftOut" />}
          {items.length === 0 && query.data.left_out === undefined ? (
            <EmptyHistory filtered={view.type !== null || view.range !== null} />
          ) : (
            <>
              <HistoryList
                items={items}
                onPreload={DetailsDialog.preload}
                onOpen={(item: HistoryItem) => {
                  setDialogNeeded(true)
                  setOpened(item)
                }}
              />
              <HistoryPages page={query.data} />
              <SaveCsv view={view} />
            </>
          )}
        </div>
      ) : failure ? (
        <ProblemScreen details={failure} retrying={query.isFetching} onRetry={() => void query.refetch()} />
      ) : (
        <FlowSkeleton flow="history" />
      )}
      {dialogNeeded && (
        <Suspense>
          <DetailsDialog item={open} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </div>
  )
}

function AboutList({ testId, text }: { readonly testId: string; readonly text: MessageKey }) {
  const { t } = useTranslations()
  return (
    <div data-testid={testId}>
      <Notice tone="wait">{t(text)}</Notice>
    </div>
  )
}

function EmptyHistory({ filtered }: { readonly filtered: boolean }) {
  const { t } = useTranslations()
  const name = filtered ? 'emptyFiltered' : 'empty'
  return <StateScreen testId="empty" icon={Clock} title={t(`history.${name}.title`)} body={t(`history.${name}.body`)} />
}
