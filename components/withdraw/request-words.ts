import type { FailureCode } from '#lib/browser/request-failure.ts'
import type { Tone } from '#lib/browser/transaction-status.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

interface FailureWords {
  readonly tone: Tone
  readonly word: MessageKey
}

/** No answer came, or none that says what was recorded: the same request may be sent again under its key. */
const unclear: FailureWords = { tone: 'unsure', word: 'withdraw.failed.unclear' }
const nothingSent: FailureWords = { tone: 'bad', word: 'withdraw.failed.nothingSent' }

const WORDS: Readonly<Partial<Record<FailureCode, FailureWords>>> = {
  offline: unclear,
  timeout: unclear,
  unreadable: unclear,
  internal: unclear,
  store_unavailable: unclear,
  conflict: { tone: 'wait', word: 'withdraw.failed.underWay' },
  outcome_unknown: { tone: 'unsure', word: 'withdraw.failed.twin' },
  rate_limited: { tone: 'wait', word: 'withdraw.failed.tooMany' },
}

/** What to say about a request for a withdrawal that failed; whatever is not named here recorded nothing. */
export const failureWords = (code: FailureCode): FailureWords => WORDS[code] ?? nothingSent
