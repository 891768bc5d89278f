import type { Overview } from '../../control/overview.ts'
import type { ControlCall } from '../../scenarios/run-scenario.ts'

/** Calls the control API. @throws Error with the messages of an error response */
export const control: ControlCall = async (method, path, body) => {
  const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
  const response = await fetch(`/control${path}`, method === 'GET' ? {} : init)
  const answer = (await response.json()) as { message?: string; errors?: Record<string, string[]> }
  if (response.ok) return answer
  const fields = Object.entries(answer.errors ?? {}).map(([field, messages]) => `${field} ${messages.join(', ')}`)
  throw new Error(fields.length > 0 ? fields.join('; ') : (answer.message ?? `status ${String(response.status)}`))
}

/** @param user shows only this user's rows; null shows all rows */
export const fetchOverview = async (user: string | null): Promise<Overview> =>
  (await control('GET', `/overview${user === null ? '' : `?user_reference=${encodeURIComponent(user)}`}`)) as Overview
