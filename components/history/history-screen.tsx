'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { lazy, Suspense, useEffect, useState } from 'react'
import { historyQuery, readHistoryView } from '#lib/browser/history-query.ts'
import { historyRow, type HistoryRow } from '#lib/browser/history-rows.ts'
import { withLive } from '#lib/browser/live-transactions.ts'
import { transactionsQuery } from '#lib/browser/queries.ts'
import { FlowSkeleton } from '../shell/flow-skeleton.tsx'
import { useLive } from '../shell/live.ts'
import { useNavigation } from '../shell/navigation.tsx'
import { useBffClient } from '../shell/page-runtime.tsx'
import { useWords } from '../shell/words.tsx'
import { Problem, problemFacts, StateScreen, type ProblemFacts } from '../ui/problem.tsx'
import { Notice } from '../ui/tone.tsx'
import { HistoryFilters } from './history-filters.tsx'
import { HistoryList } from './history-list.tsx'
import { HistoryPages } from './history-pages.tsx'
import { SaveCsv } from './save-csv.tsx'

const loadDetails = () => import('./details-dialog.tsx')
const DetailsDialog = lazy(loadDetails)

/** `drawnFailure`: why the server could not draw the list, until the page has asked for itself. */
export function HistoryScreen({ drawnFailure }: { readonly drawnFailure: ProblemFacts | null }) {
  const search = useSearchParams()
  const view = readHistoryView((name) => search.get(name))
  const { ask, asking } = useNavigation()
  const query = useQuery(transactionsQuery(useBffClient(), historyQuery(view)))
  const live = useLive()
  const [openKey, setOpenKey] = useState<string | null>(null)
  const [wanted, setWanted] = useState(false)

  const backAtStart = view.before !== null && query.data?.page_info.has_previous_page === false
  useEffect(() => {
    // Rows that the gateway does not list yet stand on the page without a cursor.
    if (backAtStart) ask({ before: null })
  }, [backAtStart, ask])

  const rows = (query.data?.edges ?? []).map(({ node }) => historyRow(withLive(node, live)))
  const open = rows.find(({ key }) => key === openKey) ?? null
  const failure = query.error ? problemFacts(query.error) : drawnFailure
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
      <HistoryFilters view={view} />
      {query.data ? (
        <div aria-busy={asking} className={`grid gap-3.5 transition-opacity ${asking ? 'opacity-55' : ''}`}>
          {query.data.stale === true && <Stale />}
          {rows.length === 0 ? (
            <Nothing filtered={view.type !== null || view.range !== null} />
          ) : (
            <>
              <HistoryList
                rows={rows}
                onNear={() => void loadDetails()}
                onOpen={(row: HistoryRow) => {
                  setWanted(true)
                  setOpenKey(row.key)
                }}
              />
              <HistoryPages page={query.data} />
              <SaveCsv rows={rows} />
            </>
          )}
        </div>
      ) : failure ? (
        <Problem facts={failure} retrying={query.isFetching} onRetry={() => void query.refetch()} />
      ) : (
        <FlowSkeleton flow="history" />
      )}
      {wanted && (
        <Suspense>
          <DetailsDialog row={open} onClose={() => setOpenKey(null)} />
        </Suspense>
      )}
    </div>
  )
}

function Stale() {
  const { t } = useWords()
  return (
    <div data-testid="stale">
      <Notice tone="wait">{t('history.stale')}</Notice>
    </div>
  )
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  const { t } = useWords()
  const name = filtered ? 'emptyFiltered' : 'empty'
  return <StateScreen testId="empty" title={t(`history.${name}.title`)} body={t(`history.${name}.body`)} />
}
