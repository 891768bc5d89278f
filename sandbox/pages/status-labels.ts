export type Tone = 'ok' | 'wait' | 'bad' | 'unsure' | ''

/** Colours of the states of transactions, sessions and deliveries. */
export const STATUS_TONES: Readonly<Record<string, Tone>> = {
  TXN_NEW: 'wait',
  TXN_AWAITING_APPROVAL: 'unsure',
  TXN_PROVIDER_SUCCEEDED: 'ok',
  TXN_FAILED: 'bad',
  pending: 'wait',
  processing: 'wait',
  succeeded: 'ok',
  failed: 'bad',
  delivered: 'ok',
  queued: 'wait',
  held: 'unsure',
  dropped: 'bad',
  given_up: 'bad',
}

/** Labels of states whose label differs from the state. */
export const STATUS_LABELS: Readonly<Record<string, string>> = {
  TXN_NEW: 'processing',
  TXN_AWAITING_APPROVAL: 'awaits approval',
  TXN_PROVIDER_SUCCEEDED: 'succeeded',
  TXN_FAILED: 'failed',
  given_up: 'given up',
}
