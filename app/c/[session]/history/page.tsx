import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { HistoryScreen } from '#components/history/history-screen.tsx'
import { FlowNotAllowed, SessionLost } from '#components/shell/no-flow.tsx'
import { FlowSkeleton } from '#components/ui/skeleton.tsx'
import { historyQuery, readHistoryView } from '#lib/browser/history-query.ts'
import { keys } from '#lib/browser/queries.ts'
import { failureCode } from '#lib/browser/request-failure.ts'
import type { TransactionsPage } from '#lib/contract/cashier.ts'
import { getApp, type Loaded } from '#lib/server/runtime/app.ts'
import { forFirstAnswer } from '../first-answer.ts'
import { flowTitle, loadSessionFor, type FlowPageProps } from '../load-session.ts'

export const generateMetadata = ({ params }: FlowPageProps): Promise<Metadata> => flowTitle(params, 'history')

export default async function HistoryPage({ params, searchParams }: FlowPageProps) {
  const [{ session: id }, search] = await Promise.all([params, searchParams])
  const session = await loadSessionFor(id, 'history')
  if (session === null) return <SessionLost />
  if (session === 'not-allowed') return <FlowNotAllowed />
  const query = historyQuery(
    readHistoryView((name) => {
      const value = search[name]
      return typeof value === 'string' ? value : null
    }),
  )
  const { is: page } = await forFirstAnswer<Page>(
    getApp().pages.transactions(session, new URLSearchParams(query)),
    null,
  )
  // No boundary if the list is ready: streamed content in a boundary appears only after a script has run.
  if (page === null || !('then' in page)) return <History query={query} page={page} />
  return (
    <Suspense fallback={<FlowSkeleton flow="history" />}>
      <ComingHistory query={query} page={page} />
    </Suspense>
  )
}

/** Null: the list was not ready in time, so the page requests it. */
type Page = Loaded<TransactionsPage> | null

async function ComingHistory({ query, page }: { readonly query: string; readonly page: Promise<Page> }) {
  return <History query={query} page={await page} />
}

function History({ query, page }: { readonly query: string; readonly page: Page }) {
  const cache = new QueryClient()
  if (page?.ok) cache.setQueryData(keys.transactionsPage(query), page.data)
  const failure = page?.ok === false ? { code: failureCode(page.code), requestId: page.request_id } : null
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <HistoryScreen serverFailure={failure} />
    </HydrationBoundary>
  )
}
