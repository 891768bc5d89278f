import type { Context } from '../context.ts'
import type { ScheduledAction } from './scheduler.ts'
import { confirmDeposit } from './deposits.ts'
import { deliverCrypto, requireSession } from './onramp.ts'
import { completePayout, failPayout } from './payouts.ts'
import { HttpError } from '../http/http-error.ts'

const ACTIONS: Readonly<Record<ScheduledAction, (context: Context, subject: string) => void>> = {
  confirm_deposit: (context, uuid) => void confirmDeposit(context, uuid),
  complete_payout: (context, uuid) => void completePayout(context, uuid),
  fail_payout: (context, uuid) => void failPayout(context, uuid, 'the network rejected the transfer'),
  deliver_onramp: (context, name) => void deliverCrypto(context, requireSession(context, name), {}),
}

/** Runs a scheduled action. If the control API already did it, this is only logged. */
export function runScheduledAction(context: Context, action: ScheduledAction, subject: string): void {
  try {
    ACTIONS[action](context, subject)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    context.log(`scheduled ${action} of ${subject} was not possible: ${error.message}`)
  }
}
