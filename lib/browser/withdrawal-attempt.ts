/**
 * One attempt to withdraw, from the review until its outcome is on the screen. The same request keeps its
 * Idempotency-Key until then, through failures and reloads: if a response is lost, the request can be repeated and
 * never pays twice.
 */
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import { RequestFailure, type FailureCode } from './request-failure.ts'
import { createWithdrawalKeys, type KeptKey, type WithdrawalKeysOptions } from './withdrawal-keys.ts'

export type AttemptState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'sending' }
  /**
   * Nothing was recorded, or it is unknown: the request may be sent again with the same key. Once it is unknown, a later
   * failure that says nothing about the first request leaves `failure` as it was.
   */
  | { readonly phase: 'failed'; readonly failure: RequestFailure }
  /** The withdrawal is recorded, and the page is about to show it. This review sends nothing more. */
  | { readonly phase: 'recorded' }

export type AttemptPhase = AttemptState['phase']
export type AttemptEvent = 'start' | 'fail' | 'record' | 'edit' | 'show'

/** The next phase; null if the event is ignored. */
export const NEXT_PHASE: Readonly<Record<AttemptPhase, Readonly<Record<AttemptEvent, AttemptPhase | null>>>> = {
  idle: { start: 'sending', fail: null, record: null, edit: null, show: null },
  sending: { start: null, fail: 'failed', record: 'recorded', edit: null, show: null },
  failed: { start: 'sending', fail: null, record: null, edit: 'idle', show: null },
  recorded: { start: null, fail: null, record: null, edit: 'idle', show: 'idle' },
}

/** A withdrawal that this page or another tab requested, with its time by the browser's clock. */
export interface SentWithdrawal {
  readonly withdrawalId: string
  readonly request: WithdrawalBody
  readonly atMs: number
}

export interface WithdrawalAttempt {
  readonly get: () => AttemptState
  /** Why it is unknown whether the last request is recorded; null if it is known. */
  readonly unclear: () => RequestFailure | null
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Stores and returns the key for `request`. Null while a request is being sent or is recorded: nothing may be sent
   * then.
   * @throws the error of `newKey`; the attempt has then failed, and nothing was sent
   */
  readonly start: (request: WithdrawalBody) => Promise<string | null>
  readonly fail: (failure: RequestFailure) => void
  readonly record: (withdrawalId: string) => void
  /** The user is at the form again. The same request still gets the same key. */
  readonly edit: () => void
  /** The outcome of this withdrawal is on the screen: from now on the same request is another withdrawal. */
  readonly show: (withdrawalId: string) => void
  /** Reads what other tabs have requested; `isRetry` and `sent` use the last result. */
  readonly refresh: () => Promise<void>
  /** Whether `request` still has its key and may be recorded with it: a repeat is then the same withdrawal. */
  readonly isRetry: (request: WithdrawalBody) => boolean
  readonly sent: () => readonly SentWithdrawal[]
}

export interface AttemptOptions extends WithdrawalKeysOptions {
  readonly newKey: () => string
}

/** With these codes nothing was recorded with the key: a repeat is a new withdrawal. */
const NOTHING_RECORDED: ReadonlySet<FailureCode> = new Set([
  'insufficient_balance',
  'outcome_unknown',
  'rate_limited',
  'invalid_request',
])

/** With these codes the request may have been recorded. */
export const UNCLEAR: ReadonlySet<FailureCode> = new Set([
  'offline',
  'timeout',
  'unreadable',
  'internal',
  'store_unavailable',
  'conflict',
])

const contentOf = ({ currency_id, amount, wallet_address }: WithdrawalBody): string =>
  JSON.stringify([currency_id, amount, wallet_address])

/** Null for other content: any script of this origin can write to the storage. */
function requestOf(content: string): WithdrawalBody | null {
  try {
    const [currency_id, amount, wallet_address] = JSON.parse(content) as readonly unknown[]
    if (typeof currency_id !== 'string' || typeof amount !== 'string' || typeof wallet_address !== 'string') return null
    return { currency_id, amount, wallet_address }
  } catch {
    return null
  }
}

export function createWithdrawalAttempt({ newKey, ...options }: AttemptOptions): WithdrawalAttempt {
  const keys = createWithdrawalKeys(options)
  const listeners = new Set<() => void>()
  let state: AttemptState = { phase: 'idle' }
  let current: KeptKey | null = null
  /** The last of this page's keys that the server has refused. */
  let refused: string | null = null
  /** The keys that this page has made or used. */
  const known = new Set<string>()
  /** By key: the unclear failure of a request that may be recorded. */
  const unclear = new Map<string, RequestFailure>()

  /** The failure that tells the most about all requests with this key. */
  function judge(key: string, failure: RequestFailure): RequestFailure {
    if (UNCLEAR.has(failure.code)) unclear.set(key, failure)
    if (NOTHING_RECORDED.has(failure.code)) unclear.delete(key)
    return unclear.get(key) ?? failure
  }

  function change(event: AttemptEvent, failure?: RequestFailure): boolean {
    const phase = NEXT_PHASE[state.phase][event]
    if (phase === null) return false
    state = phase === 'failed' && failure ? { phase, failure } : ({ phase } as AttemptState)
    for (const listener of listeners) listener()
    return true
  }

  return {
    get: () => state,
    unclear: () => (current && unclear.get(current.key)) ?? null,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: async (request) => {
      if (!change('start')) return null
      // Before there is a key, nothing was sent, so nothing can fail or be recorded.
      current = null
      try {
        current = await keys.claim(contentOf(request), () => {
          const key = newKey()
          known.add(key)
          return key
        })
      } catch (error) {
        change('fail', new RequestFailure('not_available', { requestId: null }, error))
        throw error
      }
      const { key } = current
      // Another tab, or this page before a reload, may have sent it.
      if (!known.has(key)) unclear.set(key, new RequestFailure('timeout', { requestId: null }))
      known.add(key)
      return key
    },
    fail: (failure) => {
      if (current === null || state.phase !== 'sending') return
      change('fail', judge(current.key, failure))
      refused = NOTHING_RECORDED.has(failure.code) ? current.key : null
    },
    record: (withdrawalId) => {
      if (current === null || !change('record')) return
      unclear.delete(current.key)
      current = { ...current, withdrawalId }
      void keys.record(current)
    },
    edit: () => void change('edit'),
    show: (withdrawalId) => {
      void keys.show(withdrawalId)
      // An older withdrawal, opened by its URL, does not concern this attempt.
      if (current?.withdrawalId === withdrawalId) change('show')
    },
    refresh: keys.refresh,
    isRetry: (request) => {
      const kept = keys.find(contentOf(request))
      return kept !== null && (kept.key !== refused || kept.withdrawalId !== '')
    },
    sent: () =>
      keys.recorded().flatMap(({ withdrawalId, content, atMs }) => {
        const request = requestOf(content)
        return request === null ? [] : [{ withdrawalId, request, atMs }]
      }),
  }
}
