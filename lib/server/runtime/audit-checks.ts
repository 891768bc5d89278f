import type { AuditCheck } from '#lib/contract/operate/audit.ts'
import { checkAudit } from '../store/commands/check-audit.ts'
import type { Store } from '../store/types.ts'
import { commandText } from './command-text.ts'
import type { Log } from './log.ts'

export interface AuditChecksOptions {
  readonly store: Pick<Store, 'audit'>
  readonly log: Pick<Log, 'error' | 'info'>
  readonly clock: () => number
}

const END = `the end of the audit log: compare it with \`${commandText('check-audit', '--end')}\``

/**
 * Checks the chain of the audit log on request, and writes its end to the log, where nobody with the database alone can
 * change it.
 */
export const createCheckAudit =
  ({ store, log, clock }: AuditChecksOptions) =>
  async (): Promise<AuditCheck> => {
    const { fault, end, erased } = await checkAudit(store.audit)
    const fields = { audit_entries: end.entries, audit_hash: end.hash }
    if (fault === null) log.info(fields, END)
    else log.error({ ...fields, entry: fault.seq, what: fault.what }, 'the audit log is broken')
    return { checked_at: new Date(clock()).toISOString(), ...end, erased, fault }
  }

const DAY_MS = 86_400_000

/** Writes the end of the audit log to the log at the start, and once a day. */
export function createAuditEndJob({
  store,
  log,
  onFault,
}: Omit<AuditChecksOptions, 'clock'> & { readonly onFault: (error: unknown) => void }) {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const write = async (): Promise<void> => {
    const head = await store.audit.head()
    if (head !== null && head.entries > 0) log.info({ audit_entries: head.entries, audit_hash: head.hash }, END)
  }
  const run = (): void => {
    writing = write().catch(onFault)
  }
  return {
    start(): void {
      run()
      timer = setInterval(run, DAY_MS).unref()
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await writing
    },
  }
}
