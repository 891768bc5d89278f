import { setTimeout as sleep } from 'node:timers/promises'
import { authenticate } from '../auth/authenticate.ts'
import { withoutWhitespace } from '../auth/canonical.ts'
import { AUTH_ERRORS } from '../auth/auth-errors.ts'
import type { Context } from '../context.ts'
import { NO_EFFECTS } from '../faults/effects.ts'
import type { Effects, CallOutcome } from '../faults/effects.ts'
import { magicFault } from '../faults/magic-values.ts'
import { mutateBody, mutateReply, normaliser, skippedRules } from '../faults/mutations.ts'
import { OPERATION_FAULTS, isOperationFault } from '../faults/operation-faults.ts'
import { withoutNulls } from '../operations/fields.ts'
import type { Operation } from '../operations/operation.ts'
import { errorReply } from '../operations/reply.ts'
import type { Reply } from '../operations/reply.ts'
import { beginCall, updateCall } from '../state/calls.ts'
import { takeFault } from '../state/faults.ts'
import { takeNonce } from '../state/merchants.ts'
import type { Merchant } from '../state/merchants.ts'
import { headerOf, jsonObject } from './incoming.ts'
import type { Incoming } from './incoming.ts'

type Body = Readonly<Record<string, unknown>>

const replied = (reply: Reply): CallOutcome => ({ kind: 'reply', reply })
const plain = (status: number, body: unknown): Reply => ({ status, body, committed: false, transactionUuid: null })

function checkAuth(incoming: Incoming, context: Context) {
  const { query_form } = context.modes.read()
  const skipped = skippedRules(context.mutations)
  return authenticate(
    { ...incoming, body: incoming.body.toString('utf8') },
    {
      merchantOf: (apiKey) =>
        context.merchants.byApiKey(apiKey) ??
        (skipped.has('invalid_api_key') ? (context.merchants.all()[0] ?? null) : null),
      takeNonce: (merchant, nonce) => takeNonce(context.database, merchant.id, nonce, context.now()),
      queryForms: query_form === 'either' ? ['bare', 'question-mark'] : [query_form],
      nowMs: context.now(),
      normalise: normaliser(context.mutations, withoutWhitespace),
      skipped,
    },
  )
}

/** The body as an object, or an error reply. */
function readBody(operation: Operation, incoming: Incoming, requestId: string): Body | Reply {
  if (operation.method === 'GET') return {}
  if (!/^application\/json\b/i.test(headerOf(incoming, 'content-type'))) {
    return errorReply(415, 'the content type must be application/json', requestId)
  }
  const body = jsonObject(incoming)
  return body ? withoutNulls(body) : errorReply(400, 'the body is not a JSON object', requestId)
}

const isReply = (value: Body | Reply): value is Reply => 'committed' in value && 'transactionUuid' in value

const userOf = (body: Body): string | null => {
  const user = body['user_reference_id'] ?? body['user_reference']
  return typeof user === 'string' ? user : null
}

/** The effects of a fault on this call: a fault that was set, otherwise a magic value in the call. */
function effectsFor(operation: Operation, body: Body, context: Context): { name: string | null; effects: Effects } {
  const stored = takeFault(context.database, operation.name, { user_reference: userOf(body) })
  if (stored && isOperationFault(stored.kind)) {
    return { name: stored.kind, effects: OPERATION_FAULTS[stored.kind].effects(stored.settings_json) }
  }
  const magic = context.modes.read().magic_values ? magicFault(operation.name, body) : null
  return magic
    ? { name: `magic ${magic.kind}`, effects: OPERATION_FAULTS[magic.kind].effects(magic.settings) }
    : { name: null, effects: NO_EFFECTS }
}

/** Runs one gateway call: log, authentication, faults, operation. */
export async function gatewayCall(
  operation: Operation,
  incoming: Incoming,
  requestId: string,
  context: Context,
): Promise<CallOutcome> {
  const { database } = context
  const started = performance.now()
  const callId = beginCall(database, {
    at: context.now(),
    operation: operation.name,
    method: incoming.method,
    path: incoming.path,
    query: incoming.query,
    nonce: headerOf(incoming, 'x-api-nonce') || null,
    body: incoming.body.toString('utf8'),
  })
  const logged = (outcome: CallOutcome): CallOutcome => {
    const status = outcome.kind === 'raw' ? outcome.status : outcome.kind === 'reply' ? outcome.reply.status : undefined
    updateCall(database, callId, {
      took_ms: Math.round(performance.now() - started),
      ...(status ? { response_status: status } : {}),
    })
    return outcome
  }

  const auth = checkAuth(incoming, context)
  if (auth.merchant) updateCall(database, callId, { merchant_id: auth.merchant.id })
  if ('refusal' in auth) {
    const { status, message } = AUTH_ERRORS[auth.refusal]
    return logged(replied(mutateReply(context.mutations, plain(status, { message }), operation.name)))
  }
  updateCall(database, callId, { authentic: true })
  return logged(await perform(operation, incoming, { merchant: auth.merchant, callId, requestId }, context))
}

interface Caller {
  readonly merchant: Merchant
  readonly callId: number
  readonly requestId: string
}

async function perform(
  operation: Operation,
  incoming: Incoming,
  caller: Caller,
  context: Context,
): Promise<CallOutcome> {
  const { database } = context
  const { merchant, callId, requestId } = caller
  const read = readBody(operation, incoming, requestId)
  if (isReply(read)) return replied(mutateReply(context.mutations, read, operation.name))
  const body = mutateBody(context.mutations, read, operation.name)
  const { name, effects } = effectsFor(operation, body, context)
  const user = userOf(body)
  updateCall(database, callId, { ...(name ? { fault: name } : {}), ...(user === null ? {} : { user_reference: user }) })

  if (effects.delayBeforeMs > 0) await sleep(effects.delayBeforeMs, undefined, { ref: false })
  if (effects.before) return effects.before
  const reply = database.atomically(() => {
    const made = operation.run({ merchant, body, requestId, list: effects.list, payout: effects.payout }, context)
    const note = made.transactionUuid === null ? {} : { transaction_uuid: made.transactionUuid }
    if (made.committed) updateCall(database, callId, { committed: true, ...note })
    return mutateReply(context.mutations, made, operation.name)
  })
  if (effects.delayAfterMs > 0) await sleep(effects.delayAfterMs, undefined, { ref: false })
  return effects.after ? effects.after(reply) : replied(reply)
}
