import type { Flow } from '#lib/contract/cashier.ts'
import type { CashierSession } from '../../store/port.ts'
import type { Call } from './handler.ts'
import type { LimitName } from './rate-limits.ts'
import type { SessionDoor } from './session-door.ts'

/** The session of a read by the page. */
export const enterToRead = (door: SessionDoor, { request }: Call): Promise<CashierSession> =>
  door.enter({
    headers: request.headers,
    sessionId: request.headers.get('x-cashier-session'),
    changes: false,
    flow: null,
    limit: 'calls',
  })

/** The session of a call that changes something. */
export const enterToChange = (
  door: SessionDoor,
  { request }: Call,
  flow: Flow,
  limit: LimitName | null,
): Promise<CashierSession> =>
  door.enter({
    headers: request.headers,
    sessionId: request.headers.get('x-cashier-session'),
    changes: true,
    flow,
    limit,
  })
