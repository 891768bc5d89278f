import type { OperationFaultKind } from './operation-faults.ts'
import type { WebhookFaultKind } from './webhook-faults.ts'

type Kind = OperationFaultKind | WebhookFaultKind

/** Faults in words, grouped by what a caller sees. */
export const FAULT_GROUPS: readonly (readonly [title: string, kinds: Readonly<Partial<Record<Kind, string>>>])[] = [
  [
    'The connection',
    {
      delay: 'arrives 3 s late',
      silence: 'no answer, the connection stays open',
      cut_before_commit: 'cut, nothing was done',
      cut_after_commit: 'cut, but it was done',
      cut_mid_reply: 'cut in the middle of the answer',
    },
  ],
  [
    'A refusal',
    {
      refuse: 'refused (400)',
      rate_limited: 'too many requests (429)',
      too_small: 'below the minimum (422)',
      refuse_with_transaction: 'refused, with a failed transaction',
    },
  ],
  [
    'An answer that cannot be used',
    {
      error_before_commit: 'error 503, nothing was done',
      error_after_commit: 'error 500, but it was done',
      garbage: 'not JSON',
      wrong_shape: 'JSON of an unexpected form',
      oversized: 'an answer of 3 MB',
      redirect: 'a redirect (307)',
    },
  ],
  [
    'The outcome of a withdrawal',
    {
      needs_approval: 'awaits approval',
      completes_later: 'accepted, completes after 1 s',
      fails_later: 'accepted, fails after 1 s',
    },
  ],
  [
    'The list',
    {
      clamp_page: 'two rows a page',
      repeat_cursor: 'the cursor repeats',
      lag: 'the last minute is missing',
      wrong_count: 'the total is one too many',
    },
  ],
  [
    'The delivery',
    {
      drop: 'is lost',
      duplicate: 'is sent twice',
      reorder: 'is sent after the next one',
      wrong_signature: 'has a wrong signature',
      other_key: 'is signed by another key',
      stale_timestamp: 'has a timestamp one hour old',
      round_amounts: 'has amounts rounded to a double',
    },
  ],
]

const WORDS = new Map<string, string>(FAULT_GROUPS.flatMap(([, kinds]) => Object.entries(kinds)))

/** A kind of fault in words. A fault of a magic value is named as such. */
export function faultWords(kind: string): string {
  const magic = /^magic (.+)$/.exec(kind)?.[1]
  return magic === undefined ? (WORDS.get(kind) ?? kind.replaceAll('_', ' ')) : `magic value: ${faultWords(magic)}`
}
