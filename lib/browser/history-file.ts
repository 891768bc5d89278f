import { failureCode, RequestFailure } from './request-failure.ts'
import type { HistoryView } from './history-query.ts'

export interface HistoryFileRequest {
  readonly sessionId: string
  readonly view: Pick<HistoryView, 'type' | 'range'>
  /** The language of the file. */
  readonly locale: string
}

/** The whole list with the view's filters as CSV, however long it takes. @throws RequestFailure */
export async function fetchHistoryFile({ sessionId, view, locale }: HistoryFileRequest): Promise<Blob> {
  const query = new URLSearchParams({ locale })
  if (view.range !== null) query.set('time_range', view.range)
  if (view.type !== null) query.set('transaction_types', view.type)
  try {
    const response = await fetch(`/api/cashier/history.csv?${query.toString()}`, {
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      headers: { 'x-cashier-session': sessionId },
    })
    if (!response.ok) throw await failureOf(response)
    // A browser keeps a large one on disk, and rejects one that was cut off.
    return await response.blob()
  } catch (error) {
    throw error instanceof RequestFailure ? error : new RequestFailure('offline', { requestId: null }, error)
  }
}

async function failureOf(response: Response): Promise<RequestFailure> {
  const problem: unknown = await response.json().catch(() => null)
  const code =
    typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string'
      ? failureCode(problem.code)
      : 'gateway_unavailable'
  return new RequestFailure(code, { requestId: response.headers.get('x-request-id') })
}
