import type { KeyObject } from 'node:crypto'
import { validateHeaderValue } from 'node:http'
import { isGatewayError, OutcomeUnknownError, UnreachableError, UnreadableReplyError } from './errors.ts'
import type { GatewayError, GatewayFailure } from './errors.ts'
import { isTransient } from './classify-failure.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import type { CallOptions, Gateway, TransactionsToShow } from './types.ts'
import { keptText } from './kept-text.ts'
import { createPageLimit } from './page-limit.ts'
import { readReply } from './read-reply.ts'
import { createRepeatedReplies, type RepeatedReplies } from './repeated-replies.ts'
import { checkWithdrawRequest, encodeBody } from './encode-request.ts'
import { canonicalText, createSigner, type SignQuery } from './signing.ts'
import { createClockOffset } from './clock-offset.ts'
import { createStatusReader, type StatusWords } from './status-words.ts'
import { createTransport, TransportError, type TransportFault, type WireReply } from './transport.ts'

/** Lists from which single unreadable entries may be left out. */
export type LeftOutOf = 'currencies' | 'transactions'

/** The result of one call, retries included. */
export interface CallReport {
  readonly operation: string
  readonly outcome: 'ok' | GatewayFailure
  readonly seconds: number
  /** Number of attempts, sent or not. */
  readonly attempts: number
}

export interface GatewayClientOptions {
  /** http or https; its path is put before the path of every operation and is signed as sent. */
  readonly baseUrl: string
  readonly apiKey: string
  /** The merchant's RSA key. */
  readonly privateKey: KeyObject
  readonly signQuery: SignQuery
  /** The time limit of one call, retries included. */
  readonly timeoutMs: number
  /** None by default. */
  readonly statusWords?: StatusWords
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Milliseconds by a clock that nobody sets; left out: `clock` is one. */
  readonly uptimeMs?: () => number
  /** A new UUID for each request. */
  readonly newNonce: () => string
  readonly log?: { warn(fields: Record<string, unknown>, message: string): void }
  /** Called at the end of each call, for metrics. */
  readonly onCall?: (report: CallReport) => void
  /** Called with the number of entries that were left out of a reply, if any were. */
  readonly onLeftOut?: (list: LeftOutOf, count: number) => void
}

const LEFT_OUT_MESSAGES: Readonly<Record<LeftOutOf, string>> = {
  currencies: 'entries of the currency list were left out: unreadable or with a duplicate id',
  transactions: 'records of a history page were left out: unreadable',
}

/** A reply may repeat them. */
const SECRET_HEADERS = ['x-api-key', 'x-api-nonce', 'x-api-signature'] as const

/** Pauses before a read is retried. */
const RETRY_PAUSES_MS = [50, 200]

const FAULTS: Readonly<Record<TransportFault, (cause: TransportError, operation: string) => GatewayError>> = {
  not_sent: (cause, operation) => new UnreachableError('no connection to the gateway', { operation, cause }),
  cut: (cause, operation) => new OutcomeUnknownError('the connection was cut', { operation, cause }),
  timeout: (cause, operation) => new OutcomeUnknownError('the gateway did not answer in time', { operation, cause }),
  garbled: (cause, operation) => new UnreadableReplyError('the reply is not HTTP', { operation, cause }),
  too_large: (cause, operation) => new UnreadableReplyError('the reply is too large', { operation, cause }),
}

interface SendOptions<Reply> extends CallOptions {
  /** What is known of the last replies, if their values may be shared. */
  readonly repeated?: RepeatedReplies<Reply>
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * The client of the gateway over HTTP: signs, sends and reads. Only reads are retried: after a transient failure, with
 * a new nonce, within `timeoutMs` for all attempts together.
 * @throws TypeError for an invalid `baseUrl` or `apiKey`
 */
export function createGatewayClient(options: GatewayClientOptions): Gateway {
  const base = new URL(options.baseUrl)
  if (!/^https?:$/.test(base.protocol) || base.username !== '' || base.hash !== '') {
    throw new TypeError('the gateway address must be http or https, without user name and fragment')
  }
  validateHeaderValue('x-api-key', options.apiKey)
  let basePath = base.pathname
  while (basePath.endsWith('/')) basePath = basePath.slice(0, -1)
  const query = base.search.slice(1)
  const sign = createSigner(options.privateKey)
  const transport = createTransport(base)
  const uptimeMs = options.uptimeMs ?? options.clock
  const clockOffset = createClockOffset(options.clock, uptimeMs)
  const inPages = createPageLimit()
  const shown = createRepeatedReplies<TransactionsToShow>(options.clock)
  const statuses = createStatusReader(options.statusWords ?? new Map())
  /** Of the last list of currencies. */
  let spellings: ReadonlyMap<string, string> = new Map()

  async function headersFor(method: string, path: string, body: string): Promise<Record<string, string>> {
    const nonce = options.newNonce()
    const text = canonicalText({ method, path, nonce, query, body }, options.signQuery)
    const signature = await sign(text).catch((cause: unknown) => {
      throw new TransportError('not_sent', cause)
    })
    return {
      accept: 'application/json',
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      'x-api-key': options.apiKey,
      'x-api-nonce': nonce,
      'x-api-signature': signature,
    }
  }

  async function attempt<Reply>(
    operation: Operation<Reply>,
    body: string,
    deadline: number,
    { signal, repeated, onExchange }: SendOptions<Reply>,
  ): Promise<Reply> {
    const path = basePath + operation.path
    const send = async (freshConnection: boolean): Promise<Reply> => {
      const headers = await headersFor(operation.method, path, body)
      const sentMs = options.clock()
      // A clock that was set back since the call began would give it more.
      const timeoutMs = Math.min(deadline - uptimeMs(), options.timeoutMs)
      if (timeoutMs <= 0) throw new TransportError('not_sent')
      const tell = (reply: WireReply | null): void => {
        if (onExchange === undefined) return
        const secrets = SECRET_HEADERS.map((name) => headers[name] ?? '')
        onExchange({
          startedMs: sentMs,
          endedMs: options.clock(),
          request: keptText(body, secrets),
          status: reply?.status ?? null,
          reply: reply === null ? null : keptText(reply.body, secrets),
        })
      }
      const wire = await transport
        .send({
          method: operation.method,
          target: query === '' ? path : `${path}?${query}`,
          headers,
          body,
          freshConnection,
          timeoutMs,
          isLate: () => uptimeMs() >= deadline,
          signal,
        })
        .catch((error: unknown) => {
          tell(null)
          throw error
        })
      tell(wire)
      const receivedMs = options.clock()
      clockOffset.note(wire.headers.date, sentMs, receivedMs)
      const read = (): Reply => readReply(operation, wire, { now: receivedMs, statuses })
      return repeated !== undefined && wire.status === 200
        ? repeated.read(`${operation.path} ${body}`, wire.body, read)
        : read()
    }
    try {
      return await send(!operation.repeatable).catch((error: unknown) => {
        if (operation.repeatable && error instanceof TransportError && error.wasIdle) return send(true)
        throw error
      })
    } catch (error) {
      throw error instanceof TransportError ? FAULTS[error.fault](error, operation.name) : error
    }
  }

  async function call<Reply>(
    operation: Operation<Reply>,
    request: Readonly<Record<string, unknown>> | null,
    sendOptions: SendOptions<Reply> = {},
  ): Promise<Reply> {
    const body = request === null ? '' : encodeBody(request)
    const startedAt = options.clock()
    const deadline = uptimeMs() + options.timeoutMs
    const report = (outcome: CallReport['outcome'], attempts: number): void =>
      options.onCall?.({ operation: operation.name, outcome, attempts, seconds: (options.clock() - startedAt) / 1000 })
    for (let attempts = 1; ; attempts += 1) {
      try {
        const reply = await attempt(operation, body, deadline, sendOptions)
        report('ok', attempts)
        return reply
      } catch (error) {
        if (!isGatewayError(error)) throw error
        const { kind, status, requestId, message } = error
        options.log?.warn({ operation: operation.name, kind, status, gateway_request_id: requestId, attempts }, message)
        const wait = RETRY_PAUSES_MS[attempts - 1]
        const retry = operation.read && isTransient(error) && !sendOptions.signal?.aborted && wait !== undefined
        if (!retry || uptimeMs() + wait >= deadline) {
          report(kind, attempts)
          throw error
        }
        await pause(wait)
      }
    }
  }

  function noteLeftOut(list: LeftOutOf, count: number): void {
    if (count === 0) return
    options.log?.warn({ left_out: count }, LEFT_OUT_MESSAGES[list])
    options.onLeftOut?.(list, count)
  }

  const asListed = <Request extends { readonly currency_id: string }>(request: Request): Request => ({
    ...request,
    currency_id: spellings.get(request.currency_id) ?? request.currency_id,
  })

  async function show(
    operation: Operation<TransactionsToShow>,
    request: Readonly<Record<string, unknown>>,
    callOptions: CallOptions | undefined,
  ): Promise<TransactionsToShow> {
    const list = await call(operation, request, { ...callOptions, repeated: shown })
    noteLeftOut('transactions', list.left_out)
    return list
  }

  return {
    listCurrencies: async (callOptions) => {
      const reply = await call(OPERATIONS.listCurrencies, null, callOptions)
      const { currencies, leftOut } = reply
      spellings = reply.spellings
      noteLeftOut('currencies', leftOut)
      return currencies
    },
    createDepositAddress: (request, callOptions) =>
      call(OPERATIONS.createDepositAddress, asListed(request), callOptions),
    linkExternalWallet: (request, callOptions) => call(OPERATIONS.linkExternalWallet, asListed(request), callOptions),
    withdraw: async (request, callOptions) =>
      call(OPERATIONS.withdraw, checkWithdrawRequest(asListed(request)), callOptions),
    listUserTransactions: (user_reference_id, list = {}, callOptions) =>
      inPages(list, (page) => call(OPERATIONS.listUserTransactions, { user_reference_id, ...page }, callOptions)),
    listMerchantTransactions: (list = {}, callOptions) =>
      inPages(list, (page) => call(OPERATIONS.listMerchantTransactions, { ...page }, callOptions)),
    showUserTransactions: (user_reference_id, list = {}, callOptions) =>
      inPages(list, (page) => show(OPERATIONS.showUserTransactions, { user_reference_id, ...page }, callOptions)),
    showMerchantTransactions: (list = {}, callOptions) =>
      inPages(list, (page) => show(OPERATIONS.showMerchantTransactions, { ...page }, callOptions)),
    createPaymentSession: (request, callOptions) =>
      call(OPERATIONS.createPaymentSession, asListed({ ...request }), callOptions),
    getOnrampUrl: (request, callOptions) => call(OPERATIONS.getOnrampUrl, asListed({ ...request }), callOptions),
    clockOffsetMs: () => clockOffset.current(),
    statuses,
    close: () => {
      transport.close()
      return Promise.resolve()
    },
  }
}
