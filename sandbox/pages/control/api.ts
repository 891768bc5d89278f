import type { Overview } from '../../control/overview.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Calls the control API. @throws Error with the messages of an error response */
export async function control(method: Method, path: string, body?: unknown): Promise<unknown> {
  const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
  const response = await fetch(`/control${path}`, method === 'GET' ? {} : init)
  const answer = (await response.json()) as { message?: string; errors?: Record<string, string[]> }
  if (response.ok) return answer
  const fields = Object.entries(answer.errors ?? {}).map(([field, messages]) => `${field} ${messages.join(', ')}`)
  throw new Error(fields.length > 0 ? fields.join('; ') : (answer.message ?? `status ${String(response.status)}`))
}

export const fetchOverview = async (): Promise<Overview> => (await control('GET', '/overview')) as Overview
