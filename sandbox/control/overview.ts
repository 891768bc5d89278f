import { z } from 'zod'
import type { Context } from '../context.ts'
import { currencyById, listedCurrencies } from '../currencies/find-currency.ts'
import { FAULT_KINDS } from '../faults/fault-kinds.ts'
import { text } from '../operations/fields.ts'
import { listAddresses } from '../state/addresses.ts'
import { latestCalls } from '../state/calls.ts'
import { listFaults } from '../state/faults.ts'
import { listSessions } from '../state/sessions.ts'
import type { OnrampSession } from '../state/sessions.ts'
import { MODE_ABOUT, MODE_GROUPS, MODE_VALUES, isWait, modeChoices } from '../state/mode-guide.ts'
import type { ModeName } from '../state/mode-guide.ts'
import { DEFAULT_MODES } from '../state/modes.ts'
import type { Modes } from '../state/modes.ts'
import { STATUS, searchTransactions } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'
import { latestUsers } from '../state/users.ts'
import { attemptsOf, searchWebhooks } from '../state/webhooks.ts'
import type { Webhook } from '../state/webhooks.ts'
import { callRows } from './call-rows.ts'
import { eventSummary } from './event-summary.ts'
import { route } from './route.ts'

const ROWS = 25
const USERS = 50
/** Number of newest calls to read. Calls with the same content are combined in one row. */
const READ_CALLS = 500

/** A transaction or session that the control page shows and can advance. */
export interface Item {
  readonly kind: 'deposit' | 'payout' | 'onramp'
  readonly name: string
  readonly status: string
  readonly at: number
  readonly user: string | null
  readonly amount: string
  readonly currency: string
  readonly network: string
  readonly detail: string
}

function transactionItem(transaction: Transaction): Item {
  const { code, network } = currencyById(transaction.currency_id)
  return {
    kind: transaction.type === 'Deposit' ? 'deposit' : 'payout',
    name: transaction.uuid,
    status: transaction.status,
    at: transaction.inserted_at,
    user: transaction.user_reference,
    amount: transaction.amount,
    currency: code,
    network,
    detail: transaction.to_address,
  }
}

function sessionItem(session: OnrampSession): Item {
  const { code, network } = currencyById(session.currency_id)
  return {
    kind: 'onramp',
    name: session.uuid,
    status: session.status,
    at: session.created_at,
    user: session.user_reference,
    amount: session.to_amount ?? '',
    currency: code,
    network,
    detail:
      session.amount === null ? 'amount chosen by the user' : `for ${session.amount} ${session.fiat_currency ?? ''}`,
  }
}

function webhookRow(webhook: Webhook, context: Context) {
  const { id, event, status, state, attempts, body, signing, created_at, transaction_uuid } = webhook
  return {
    id,
    event,
    status,
    state,
    attempts,
    body,
    signing,
    created_at,
    transaction_uuid,
    ...eventSummary(body),
    log: attemptsOf(context.database, id).map(({ sent_at, url, response_status, response_body, error, took_ms }) => ({
      sent_at,
      url,
      response_status,
      answer: (error ?? response_body ?? '').slice(0, 200),
      took_ms,
    })),
  }
}

function modeRow(name: ModeName, label: string, value: Modes[ModeName]) {
  const choices = modeChoices(name)
  const words = MODE_VALUES[name] ?? {}
  return {
    name,
    label,
    value,
    usual: DEFAULT_MODES[name],
    changed: JSON.stringify(value) !== JSON.stringify(DEFAULT_MODES[name]),
    about: MODE_ABOUT[name],
    isWait: isWait(name),
    choices: choices?.map((choice) => ({ value: choice, label: words[choice] ?? choice })) ?? null,
  }
}

const modeGroups = (modes: Modes) =>
  MODE_GROUPS.map(({ title, modes: named }) => ({
    title,
    modes: Object.entries(named).map(([name, label]) => modeRow(name as ModeName, label, modes[name as ModeName])),
  }))

function overview(user: string | null, context: Context) {
  const { database } = context
  const transactions = searchTransactions(database, { userReference: user, type: null, status: null, limit: ROWS })
  const waiting = [STATUS.requireProcessing, STATUS.awaitingApproval].flatMap((status) =>
    searchTransactions(database, { userReference: user, type: null, status, limit: ROWS }),
  )
  const sessions = listSessions(database, user, ROWS)
  const isOpen = ({ status }: OnrampSession): boolean => status !== 'succeeded' && status !== 'failed'
  const newestFirst = (a: Item, b: Item): number => b.at - a.at
  const modes = context.modes.read()
  return {
    now: context.now(),
    clock_offset_ms: modes.clock_offset_ms,
    links: context.links,
    users: latestUsers(database, USERS),
    mode_groups: modeGroups(modes),
    merchants: context.merchants.all().map(({ key: _key, ...merchant }) => merchant),
    currencies: listedCurrencies(modes.currency_list).map(({ id, code, network, decimals }) => ({
      id,
      code,
      network,
      decimals,
    })),
    addresses: listAddresses(database, user, ROWS).map((known) => {
      const { code, network, decimals } = currencyById(known.currency_id)
      return { address: known.address, user: known.user_reference, currency: code, network, decimals }
    }),
    open: [...waiting.map(transactionItem), ...sessions.filter(isOpen).map(sessionItem)].sort(newestFirst),
    recent: [...transactions.map(transactionItem), ...sessions.map(sessionItem)].sort(newestFirst).slice(0, ROWS),
    webhooks: searchWebhooks(database, {
      transactionUuid: null,
      userReference: user,
      state: null,
      after: 0,
      attemptAfter: null,
      limit: ROWS,
    }).map((webhook) => webhookRow(webhook, context)),
    calls: callRows(latestCalls(database, user, READ_CALLS), ROWS),
    faults: listFaults(database),
    fault_kinds: FAULT_KINDS,
  }
}

export type Overview = ReturnType<typeof overview>

export const overviewRoutes = [
  route(
    'GET',
    '/overview',
    'The data of the control page: the latest of everything, or of one user: ?user_reference=.',
    z.strictObject({ user_reference: text.optional() }),
    (input, _params, context) => overview(input.user_reference ?? null, context),
  ),
]
