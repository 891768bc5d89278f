/**
 * Wrong cashiers, made by wrapping the correct cashier from outside. The simulator must find each bug
 * (`deliberate-bugs.test.ts`). The cashier itself has no switch for them.
 */
import type { Bug, BugEntry } from './bug.ts'
import { MESSAGE_BUGS } from './message-bugs.ts'
import { MONEY_BUGS } from './money-bugs.ts'
import { WAIT_BUGS } from './wait-bugs.ts'

export const BUGS: Readonly<Record<string, BugEntry>> = { ...MONEY_BUGS, ...MESSAGE_BUGS, ...WAIT_BUGS }

export function bugNamed(name: string): Bug {
  const entry = BUGS[name]
  if (entry === undefined) throw new Error(`there is no bug "${name}": ${Object.keys(BUGS).join(', ')}`)
  return entry.make()
}
