/** Supplies the use cases of the console with their dependencies. `start.ts` calls it. */
import { createRecordAudit } from '../operate/audit/record-audit.ts'
import { createListFile } from '../operate/lists/list-file.ts'
import { createReadList } from '../operate/lists/read-list.ts'
import { createSavedViews } from '../operate/lists/saved-views.ts'
import type { Store } from '../store/types.ts'

export interface ComposeConsoleOptions {
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The calls of the console's route files, by name: `app.console`. */
export type ConsoleUseCases = ReturnType<typeof composeConsole>

export const composeConsole = ({ store, clock }: ComposeConsoleOptions) => ({
  recordAudit: createRecordAudit(store),
  readList: createReadList(store, clock),
  listFile: createListFile(store, clock),
  savedViews: createSavedViews(store, clock),
  signOut: (sessionId: string) => store.operators.endSession(sessionId, clock()),
})
