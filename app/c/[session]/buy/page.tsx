import type { Metadata } from 'next'
import { BuyScreen } from '#components/buy/buy-screen.tsx'
import { FlowNotAllowed, SessionLost } from '#components/shell/no-flow.tsx'
import { flowTitle, loadSessionFor, type FlowPageProps } from '../load-session.ts'

export const generateMetadata = ({ params }: FlowPageProps): Promise<Metadata> => flowTitle(params, 'buy')

export default async function BuyPage({ params }: FlowPageProps) {
  const { session: id } = await params
  const session = await loadSessionFor(id, 'buy')
  if (session === null) return <SessionLost />
  return session === 'not-allowed' ? <FlowNotAllowed /> : <BuyScreen />
}
