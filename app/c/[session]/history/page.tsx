import type { Metadata } from 'next'
import { HistoryScreen } from '#components/history/history-screen.tsx'
import { FlowNotAllowed } from '#components/shell/flow-not-allowed.tsx'
import { flowTitle, sessionWith, type FlowPageProps } from '../opened.ts'

export const generateMetadata = ({ params }: FlowPageProps): Promise<Metadata> => flowTitle(params, 'history')

export default async function HistoryPage({ params }: FlowPageProps) {
  const { session: id } = await params
  const session = await sessionWith(id, 'history')
  if (session === null) return null
  return session === 'not-allowed' ? <FlowNotAllowed /> : <HistoryScreen />
}
