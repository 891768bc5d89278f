import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { HistoryScreen } from '#components/history/history-screen.tsx'
import { FlowNotAllowed } from '#components/shell/flow-not-allowed.tsx'
import { historyQuery, readHistoryView } from '#lib/browser/history-query.ts'
import { keys } from '#lib/browser/queries.ts'
import { failureCode } from '#lib/browser/request-failure.ts'
import { getApp } from '#lib/server/runtime/app.ts'
import { flowTitle, loadSessionFor, type FlowPageProps } from '../load-session.ts'

export const generateMetadata = ({ params }: FlowPageProps): Promise<Metadata> => flowTitle(params, 'history')

export default async function HistoryPage({ params, searchParams }: FlowPageProps) {
  const [{ session: id }, search] = await Promise.all([params, searchParams])
  const session = await loadSessionFor(id, 'history')
  if (session === null) return null
  if (session === 'not-allowed') return <FlowNotAllowed />
  const query = historyQuery(
    readHistoryView((name) => {
      const value = search[name]
      return typeof value === 'string' ? value : null
    }),
  )
  const page = await getApp().pages.transactions(session, new URLSearchParams(query))
  const cache = new QueryClient()
  if (page.ok) cache.setQueryData(keys.transactionsPage(query), page.data)
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <HistoryScreen serverFailure={page.ok ? null : { code: failureCode(page.code), requestId: page.request_id }} />
    </HydrationBoundary>
  )
}
