/** Supplies the use cases of the console with their dependencies. `start.ts` calls it. */
import { createRecordAudit } from '../operate/audit/record-audit.ts'
import { composeConsoleAccess, type ConsoleAccessOptions } from './compose-console-access.ts'

export type ComposeConsoleOptions = ConsoleAccessOptions

/** The calls of the console's route files, by name: `app.console`. */
export type ConsoleUseCases = ReturnType<typeof composeConsole>

export const composeConsole = ({ store, clock, ...options }: ComposeConsoleOptions) => ({
  ...composeConsoleAccess({ store, clock, ...options }),
  recordAudit: createRecordAudit(store),
  signOut: (sessionId: string) => store.operators.endSession(sessionId, clock()),
})
