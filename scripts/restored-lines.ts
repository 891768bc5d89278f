/**
 * What a person does after a database has gone back to an earlier state.
 * @param state that state
 * @param end what came after it ended with this
 */
export const restoredLines = (state: string, end: string): readonly string[] => [
  `Adjustments since ${state} are lost, and the gateway does not know them: once the cashier runs,`,
  'the merchant sends them again at once, but for corrections of deposits and withdrawals: what is still wrong there',
  'is told again. A reference is booked once.',
  `Start no earlier than WITHDRAWAL_ABSENCE_S after ${end}: the gateway's list may lag.`,
  "A user's withdrawals wait until the gateway's list was read and every difference is settled.",
]
