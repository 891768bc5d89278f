import type { CashierSession } from '../store/types.ts'

/** The session with the flows that its page shows: `buy` needs `ONRAMP_ORIGINS`. */
export const withOfferedFlows = (session: CashierSession, onramp: boolean): CashierSession =>
  onramp ? session : { ...session, flows: session.flows.filter((flow) => flow !== 'buy') }
