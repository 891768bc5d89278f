import type { Context } from '../context.ts'
import type { AlarmAction } from './alarm-actions.ts'
import { confirmDeposit } from './deposits.ts'
import { deliver, sessionNamed } from './onramp.ts'
import { completePayout, failPayout } from './payouts.ts'
import { Refusal } from './refusal.ts'

const ACTIONS: Readonly<Record<AlarmAction, (context: Context, subject: string) => void>> = {
  confirm_deposit: (context, uuid) => void confirmDeposit(context, uuid),
  complete_payout: (context, uuid) => void completePayout(context, uuid),
  fail_payout: (context, uuid) => void failPayout(context, uuid, 'the network refused the transfer'),
  deliver_onramp: (context, name) => void deliver(context, sessionNamed(context, name), {}),
}

/** Does what an alarm says, unless a person was quicker. */
export function ring(context: Context, action: AlarmAction, subject: string): void {
  try {
    ACTIONS[action](context, subject)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    context.log(`${action} of ${subject} did not happen: ${error.message}`)
  }
}
