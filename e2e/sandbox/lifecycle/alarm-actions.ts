export const ALARM_ACTIONS = ['confirm_deposit', 'complete_payout', 'fail_payout', 'deliver_onramp'] as const
export type AlarmAction = (typeof ALARM_ACTIONS)[number]
