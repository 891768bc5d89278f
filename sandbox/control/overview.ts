import type { Context } from '../context.ts'
import { currencyById, listedCurrencies } from '../currencies/find-currency.ts'
import { FAULT_KINDS } from '../faults/fault-kinds.ts'
import { listAddresses } from '../state/addresses.ts'
import { latestCalls } from '../state/calls.ts'
import { listFaults } from '../state/faults.ts'
import { listSessions } from '../state/sessions.ts'
import type { OnrampSession } from '../state/sessions.ts'
import { MODE_ABOUT, MODE_NAMES, modeChoices } from '../state/mode-guide.ts'
import { STATUS, searchTransactions } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'
import { attemptsOf, searchWebhooks } from '../state/webhooks.ts'
import type { Webhook } from '../state/webhooks.ts'
import { noInput, route } from './route.ts'

const ROWS = 25

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
  const last = attemptsOf(context.database, webhook.id).at(-1)
  const { id, event, status, state, attempts, body, signing, created_at } = webhook
  const answer = last
    ? (last.error ?? `${String(last.response_status ?? '')} ${last.response_body ?? ''}`.slice(0, 200))
    : ''
  return { id, event, status, state, attempts, body, signing, created_at, answer }
}

function overview(context: Context) {
  const { database } = context
  const transactions = searchTransactions(database, { userReference: null, type: null, status: null, limit: ROWS })
  const waiting = [STATUS.requireProcessing, STATUS.awaitingApproval].flatMap((status) =>
    searchTransactions(database, { userReference: null, type: null, status, limit: ROWS }),
  )
  const sessions = listSessions(database, null, ROWS)
  const isOpen = ({ status }: OnrampSession): boolean => status !== 'succeeded' && status !== 'failed'
  const newestFirst = (a: Item, b: Item): number => b.at - a.at
  const modes = context.modes.read()
  return {
    modes: MODE_NAMES.map((name) => ({
      name,
      value: modes[name],
      about: MODE_ABOUT[name],
      choices: modeChoices(name),
    })),
    merchants: context.merchants.all().map(({ key: _key, ...merchant }) => merchant),
    currencies: listedCurrencies(modes.currency_list).map(({ id, code, network, decimals }) => ({
      id,
      code,
      network,
      decimals,
    })),
    addresses: listAddresses(database, null, ROWS).map((known) => {
      const { code, network, decimals } = currencyById(known.currency_id)
      return { address: known.address, user: known.user_reference, currency: code, network, decimals }
    }),
    open: [...waiting.map(transactionItem), ...sessions.filter(isOpen).map(sessionItem)].sort(newestFirst),
    recent: [...transactions.map(transactionItem), ...sessions.map(sessionItem)].sort(newestFirst).slice(0, ROWS),
    webhooks: searchWebhooks(database, { transactionUuid: null, state: null, after: 0, limit: ROWS }).map((webhook) =>
      webhookRow(webhook, context),
    ),
    calls: latestCalls(database, ROWS),
    faults: listFaults(database),
    fault_kinds: FAULT_KINDS,
  }
}

export type Overview = ReturnType<typeof overview>

export const overviewRoutes = [
  route('GET', '/overview', 'The data of the control page: the latest of everything.', noInput, (_, __, context) =>
    overview(context),
  ),
]
