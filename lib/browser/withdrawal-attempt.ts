/**
 * One attempt to withdraw, from the review until its outcome is on the screen. The same request keeps its
 * Idempotency-Key all that time, through failures and reloads: a lost answer is asked for again and never paid again.
 */
import type { WithdrawalBody } from '#lib/contract/cashier-requests.ts'
import type { RequestFailure } from './request-failure.ts'
import { createWithdrawalKeys, type KeptKey, type WithdrawalKeysOptions } from './withdrawal-keys.ts'

export type AttemptState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'sending' }
  /** Nothing was recorded, or no answer said so: the request may be sent again, under the same key. */
  | { readonly phase: 'failed'; readonly failure: RequestFailure }
  /** There is a withdrawal, and the page is about to show it. This review sends nothing more. */
  | { readonly phase: 'recorded' }

export type AttemptPhase = AttemptState['phase']
export type AttemptEvent = 'start' | 'fail' | 'record' | 'edit' | 'show'

/** The phase that follows; null where the event is ignored. */
export const NEXT_PHASE: Readonly<Record<AttemptPhase, Readonly<Record<AttemptEvent, AttemptPhase | null>>>> = {
  idle: { start: 'sending', fail: null, record: null, edit: null, show: null },
  sending: { start: null, fail: 'failed', record: 'recorded', edit: null, show: null },
  failed: { start: 'sending', fail: null, record: null, edit: 'idle', show: null },
  recorded: { start: null, fail: null, record: null, edit: 'idle', show: 'idle' },
}

/** A withdrawal that this page requested, and when by the page's clock. */
export interface SentWithdrawal {
  readonly withdrawalId: string
  readonly request: WithdrawalBody
  readonly atMs: number
}

export interface WithdrawalAttempt {
  readonly get: () => AttemptState
  readonly subscribe: (listener: () => void) => () => void
  /** The key to send `request` under; null while one is being sent or is recorded: then nothing may be sent. */
  readonly start: (request: WithdrawalBody) => string | null
  readonly fail: (failure: RequestFailure) => void
  readonly record: (withdrawalId: string) => void
  /** The user is at the form again. The key stays: the same request still gets it. */
  readonly edit: () => void
  /** The outcome of this withdrawal is on the screen: the same request made once more is another withdrawal. */
  readonly show: (withdrawalId: string) => void
  /** Whether `request` still has its key: sent again, it is the same withdrawal. */
  readonly isRetry: (request: WithdrawalBody) => boolean
  readonly sent: () => readonly SentWithdrawal[]
}

export interface AttemptOptions extends WithdrawalKeysOptions {
  readonly newKey: () => string
}

const contentOf = (request: WithdrawalBody): string => JSON.stringify(Object.entries(request).sort())

export function createWithdrawalAttempt({ newKey, ...options }: AttemptOptions): WithdrawalAttempt {
  const keys = createWithdrawalKeys(options)
  const listeners = new Set<() => void>()
  let state: AttemptState = { phase: 'idle' }
  let current: (KeptKey & { readonly request: WithdrawalBody }) | null = null
  let sent: readonly SentWithdrawal[] = []

  function change(event: AttemptEvent, failure?: RequestFailure): boolean {
    const phase = NEXT_PHASE[state.phase][event]
    if (phase === null) return false
    state = phase === 'failed' && failure ? { phase, failure } : ({ phase } as AttemptState)
    for (const listener of listeners) listener()
    return true
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: (request) => {
      if (!change('start')) return null
      const content = contentOf(request)
      const atMs = options.clock()
      const kept = keys.find(content) ?? { key: newKey(), content, withdrawalId: '', atMs }
      keys.keep(kept)
      current = { ...kept, request, atMs }
      return kept.key
    },
    fail: (failure) => void change('fail', failure),
    record: (withdrawalId) => {
      if (!change('record') || current === null) return
      const { request, ...kept } = current
      current = { ...current, withdrawalId }
      sent = [...sent, { withdrawalId, request, atMs: kept.atMs }]
      keys.keep({ ...kept, withdrawalId })
    },
    edit: () => void change('edit'),
    show: (withdrawalId) => {
      keys.release(withdrawalId)
      // An older withdrawal, opened by its address, says nothing about this attempt.
      if (current?.withdrawalId === withdrawalId) change('show')
    },
    isRetry: (request) => keys.find(contentOf(request)) !== null,
    sent: () => sent,
  }
}
