import type { WebhookOutcome } from '../store/types.ts'
import type { Log } from './log.ts'

const WINDOW_MS = 60_000
const MOST_LINES = 30
const MOST_LETTERS = 64

export interface QuarantineWarningOptions {
  readonly log: Pick<Log, 'warn'>
  /** A monotonic clock in milliseconds. */
  readonly uptimeMs: () => number
}

/**
 * Logs one line for each webhook that goes into quarantine, at most 30 per minute, so that a flood cannot fill the log.
 * The first line of the next minute has the number of omitted lines.
 */
export function createQuarantineWarnings({ log, uptimeMs }: QuarantineWarningOptions) {
  let windowMs = -Infinity
  let lines = 0
  let leftOut = 0
  return (outcome: WebhookOutcome, transactionUuid: string | null): void => {
    if (outcome === 'applied' || outcome === 'seen') return
    if (uptimeMs() - windowMs >= WINDOW_MS) {
      windowMs = uptimeMs()
      lines = 0
    }
    lines += 1
    if (lines > MOST_LINES) {
      leftOut += 1
      return
    }
    const fields = {
      reason: outcome,
      transaction_uuid: transactionUuid?.slice(0, MOST_LETTERS) ?? null,
      ...(leftOut > 0 && { left_out: leftOut }),
    }
    leftOut = 0
    log.warn(fields, 'a webhook of the gateway was not applied: it is in quarantine')
    if (lines === MOST_LINES) log.warn({}, 'more webhooks that go into quarantine are not logged for up to a minute')
  }
}
