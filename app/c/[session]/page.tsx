import { redirect } from 'next/navigation'
import { flowPath } from '#components/context/flows.ts'
import { loadSession } from './load-session.ts'

/** The session's first flow. */
export default async function SessionPage({ params }: { readonly params: Promise<{ readonly session: string }> }) {
  const { session: id } = await params
  const loaded = await loadSession(id)
  const first = loaded.state === 'active' ? loaded.session.flows[0] : undefined
  return first ? redirect(flowPath(id, first)) : null
}
