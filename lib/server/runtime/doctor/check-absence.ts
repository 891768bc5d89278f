import type { Config } from '../config/config.ts'
import { isLocalHost } from '../config/readers.ts'
import { fault, note, ok, type Finding } from './finding.ts'

const ABOUT = 'withdrawals'
/** A list that lags by more than this is not expected of a gateway. */
const LEAST_S = 900

const isLocal = (url: string): boolean => isLocalHost(new URL(url).hostname)

/** Whether an unknown withdrawal could be taken as not sent while the gateway's list has not caught up yet. */
export function checkAbsence({
  withdrawalAbsenceS,
  publicUrl,
  gateway,
}: Pick<Config, 'withdrawalAbsenceS' | 'publicUrl'> & {
  readonly gateway: Pick<Config['gateway'], 'baseUrl'>
}): readonly Finding[] {
  const after = `an unknown withdrawal that the gateway's list does not show is taken as not sent after ${withdrawalAbsenceS} s`
  if (withdrawalAbsenceS >= LEAST_S) return [ok(ABOUT, after)]
  const message = `${after}: where the list lags by more, its money is given back, and paid all the same`
  return isLocal(publicUrl) || isLocal(gateway.baseUrl)
    ? [note(ABOUT, `${message}. Fit for a sandbox alone`)]
    : [fault(ABOUT, message, `set WITHDRAWAL_ABSENCE_S to at least ${LEAST_S}, or leave it out: it is 3600 by itself`)]
}
