import type { Metadata } from 'next'
import { WithdrawScreen } from '#components/withdraw/withdraw-screen.tsx'
import { FlowNotAllowed, SessionLost } from '#components/shell/no-flow.tsx'
import { flowTitle, loadSessionFor, type FlowPageProps } from '../load-session.ts'

export const generateMetadata = ({ params }: FlowPageProps): Promise<Metadata> => flowTitle(params, 'withdraw')

export default async function WithdrawPage({ params }: FlowPageProps) {
  const { session: id } = await params
  const session = await loadSessionFor(id, 'withdraw')
  if (session === null) return <SessionLost />
  return session === 'not-allowed' ? <FlowNotAllowed /> : <WithdrawScreen />
}
