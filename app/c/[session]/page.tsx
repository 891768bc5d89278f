import { redirect } from 'next/navigation'
import { flowPath } from '#components/shell/flow-path.ts'
import { openSession } from './opened.ts'

/** The session's first flow. */
export default async function SessionPage({ params }: { readonly params: Promise<{ readonly session: string }> }) {
  const { session: id } = await params
  const opened = await openSession(id)
  const first = opened.state === 'active' ? opened.session.flows[0] : undefined
  return first ? redirect(flowPath(id, first)) : null
}
