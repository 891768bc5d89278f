import type { Config } from '../config/config.ts'
import { isLocalHost } from '../config/readers.ts'
import { fault, note, ok, type Finding } from './finding.ts'

const ABOUT = 'withdrawals'
/** A gateway's list is not expected to lag by more than this. */
const LEAST_S = 900

const isLocal = (url: string): boolean => isLocalHost(new URL(url).hostname)

/** Checks that an unknown withdrawal is not taken as not sent before the gateway's list has caught up. */
export function checkAbsence({
  withdrawalAbsenceS,
  publicUrl,
  gateway,
}: Pick<Config, 'withdrawalAbsenceS' | 'publicUrl'> & {
  readonly gateway: Pick<Config['gateway'], 'baseUrl'>
}): readonly Finding[] {
  const after = `an unknown withdrawal that the gateway's list does not show is taken as not sent after ${withdrawalAbsenceS} s`
  if (withdrawalAbsenceS >= LEAST_S) return [ok(ABOUT, after)]
  const message = `${after}: if the list lags by more, its hold is released although it may still be paid`
  return isLocal(publicUrl) || isLocal(gateway.baseUrl)
    ? [note(ABOUT, `${message}. Suitable only for a sandbox`)]
    : [fault(ABOUT, message, `set WITHDRAWAL_ABSENCE_S to at least ${LEAST_S}, or leave it out: its default is 3600`)]
}
