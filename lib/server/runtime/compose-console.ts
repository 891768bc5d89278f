/** Supplies the use cases of the console with their dependencies. `start.ts` calls it. */
import { randomBytes, randomUUID } from 'node:crypto'
import { newMerchantKey } from '../merchant/merchant-key.ts'
import { createAuditedAct, createRecordAudit } from '../operate/audit/record-audit.ts'
import { createReadAudit } from '../operate/audit/read-audit.ts'
import { createListKnownCurrencies } from '../operate/lists/known-currencies.ts'
import { createListFile } from '../operate/lists/list-file.ts'
import { createReadList } from '../operate/lists/read-list.ts'
import { createSavedViews } from '../operate/lists/saved-views.ts'
import { createBookTotalsJob } from '../operate/exceptions/book-totals-job.ts'
import { createDayNumbers } from '../operate/exceptions/day-numbers.ts'
import type { InstanceReports } from '../operate/exceptions/instance-reports.ts'
import { createLastDays } from '../operate/exceptions/last-days.ts'
import { createListExceptions } from '../operate/exceptions/list-exceptions.ts'
import { createTallyJob } from '../operate/exceptions/tally-job.ts'
import { createConsoleChanges } from '../operate/live/console-changes.ts'
import { createMerchantKeys } from '../operate/keys/merchant-keys.ts'
import { createSearch } from '../operate/search/search.ts'
import { createAuditEndJob, createCheckAudit } from './audit-checks.ts'
import { composeConsoleDeliveries, deliveryIds } from './compose-console-deliveries.ts'
import { composeConsoleAccess, type ConsoleAccessOptions } from './compose-console-access.ts'
import { composeConsoleUsers, type ConsoleUsersOptions } from './compose-console-users.ts'
import { composeDecisions, type ComposeDecisionsOptions } from './compose-decisions.ts'
import type { Log } from './log.ts'

export interface ComposeConsoleOptions
  extends ConsoleAccessOptions, ConsoleUsersOptions, Pick<ComposeDecisionsOptions, 'acts' | 'clockOffset'> {
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
  /** Called after a key of the merchant API was made or revoked. */
  readonly onKeysChanged: () => void
}

/** The calls of the console's route files, by name: `app.console`. */
export type ConsoleUseCases = ReturnType<typeof composeConsole>

/** The use cases of the console. */
export function composeConsole({ store, clock, log, onKeysChanged, ...options }: ComposeConsoleOptions) {
  const recordAudit = createRecordAudit(store)
  const audited = createAuditedAct({
    store,
    onFault: (err, action) => {
      log.error({ err, action }, 'the outcome of an act is not in the audit log')
    },
  })
  const users = composeConsoleUsers({ store, clock, ...options })
  return {
    ...composeConsoleAccess({ store, clock, ...options }),
    ...users,
    ...composeConsoleDeliveries({ store, clock, ...options }),
    ...composeDecisions({ store, clock, log, ...options, stories: users, audited, recordAudit }),
    recordAudit,
    auditedAct: audited,
    audit: createReadAudit(store),
    checkAudit: createCheckAudit({ store: store.lane('jobs'), log, clock }),
    merchantKeys: createMerchantKeys({
      store,
      newId: randomUUID,
      newKey: () => newMerchantKey(randomBytes),
      onChanged: onKeysChanged,
    }),
    readList: createReadList(store, clock),
    listFile: createListFile(store, clock),
    listKnownCurrencies: createListKnownCurrencies(store),
    savedViews: createSavedViews(store, clock),
    listExceptions: createListExceptions({ store, clock }),
    dayNumbers: createDayNumbers({ store, clock }),
    lastDays: createLastDays({ store, clock }),
    search: createSearch({ store, nameEvents: () => deliveryIds(store).writer() }),
    ...createConsoleChanges({
      store,
      onFault: (err) => {
        log.warn({ err }, 'what has changed could not be told to open consoles')
      },
    }),
    signOut: (sessionId: string) => store.operators.endSession(sessionId, clock()),
  }
}

export interface ConsoleJobsOptions extends Pick<ComposeConsoleOptions, 'store' | 'clock' | 'log'> {
  readonly reports: Pick<InstanceReports, 'start' | 'stop'>
  /** The name of this process among the instances. */
  readonly instance: string
}

/** The jobs that work for the console alone. Without operators they do nothing. */
export function composeConsoleJobs({ store, clock, log, reports, instance: holder }: ConsoleJobsOptions) {
  const onFault = (err: unknown): void => {
    log.warn({ err }, 'counting for the console failed; it is tried again')
  }
  const jobs = [
    reports,
    createTallyJob({ store, holder, onFault }),
    createBookTotalsJob({ store, holder, clock, onFault }),
    createAuditEndJob({ store, log, onFault }),
  ]
  return {
    start(): void {
      for (const job of jobs) job.start()
    },
    async stop(): Promise<void> {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}
