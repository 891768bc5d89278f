/** Supplies the console's stories and its page of a user with their dependencies. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCircuit } from '../gateway/circuit.ts'
import type { Gateway } from '../gateway/types.ts'
import { GIVE_UP_AFTER_MS } from '../merchant/delivery-schedule.ts'
import { createStories } from '../operate/story/read-story.ts'
import { createReadUser } from '../operate/users/read-user.ts'
import { createUserStatement } from '../operate/users/statement.ts'
import { createUserActs, type ReadWholeList } from '../operate/users/user-acts.ts'
import { createCallBudget } from '../reconcile/call-budget.ts'
import { createCheckTotals } from '../reconcile/check-totals.ts'
import { createReadWhole } from '../reconcile/read-whole.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import type { Store } from '../store/store.ts'
import { sessionLimits } from './compose-sessions.ts'
import type { Config } from './config/config.ts'

export interface ConsoleUsersOptions {
  readonly config: Config
  readonly store: Store
  readonly gateway: Gateway
  /** What the gateway inserted before this time is booked nowhere. */
  readonly ledgerStartMs: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Ends a session and its streams. @throws Problem `not_found` */
  readonly endSession: (sessionId: string) => Promise<void>
}

/** Reads one user's whole list, within the rate of reconciliation that all instances share. */
function createReadWholeList({ config, store, gateway, ledgerStartMs, clock }: ConsoleUsersOptions): ReadWholeList {
  const { ledgerMode, overdueMs } = config
  const { statuses } = gateway
  const checkTotals = createCheckTotals({ store, statuses, ledgerMode, ledgerStartMs, overdueMs, clock })
  return async (user) => {
    const budget = createCallBudget({
      ...{ gateway, clock, circuit: createCircuit(clock), perSecond: config.reconcileCallsPerS },
      reserve: (count, everyMs) => store.reconciliation.reserveCalls(count, everyMs),
      sleep: (ms) => sleep(ms),
    })
    const readWhole = createReadWhole({
      ...{ store, statuses, ledgerMode, ledgerStartMs, clock, checkTotals },
      lists: budget.lists('open'),
      clockOffsetMs: () => gateway.clockOffsetMs(),
    })
    return readWhole(user).finally(() => budget.close())
  }
}

export function composeConsoleUsers(options: ConsoleUsersOptions) {
  const { config, store, clock, endSession } = options
  const onJobs = { ...options, store: store.lane('jobs') }
  return {
    ...createStories({
      store,
      rules: {
        absenceMs: config.withdrawalAbsenceS * 1000,
        overdueMs: config.overdueMs,
        giveUpMs: GIVE_UP_AFTER_MS,
        keepsBooks: config.ledgerMode === 'embedded',
      },
      clock,
    }),
    readUser: createReadUser({ store, values: config.values, sessionLimits: sessionLimits(config), clock }),
    userStatement: createUserStatement(store),
    ...createUserActs({
      store,
      endSession,
      readWholeList: createReadWholeList(onJobs),
      eraseUser: (user, operator) =>
        eraseUser(store.lane('commands'), user, `erased_${randomBytes(16).toString('base64url')}`, clock, operator),
    }),
  }
}
