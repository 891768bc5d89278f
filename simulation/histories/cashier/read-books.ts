/** The books as an outsider sees them. */
import { isZero, negate, sum } from '#lib/contract/money.ts'
import { aboutEntry } from '#lib/server/ledger/about-entry.ts'
import { listKey } from '#lib/server/ledger/line-key.ts'
import { attentionOf } from '#lib/server/ledger/payouts/attention.ts'
import type { QuarantineLine } from '#lib/server/ledger/rows.ts'
import type { MemoryLedger } from '#lib/server/ledger/testing/memory-ledger.ts'
import type { Books } from '../port.ts'
import { START_MS, USER } from '../wire.ts'

/** When somebody looks at the books. */
const BOOKS_MS = START_MS + 9 * 86_400_000

type Named = Record<'transaction_uuid' | 'withdrawal_id', string | null>

interface TotalsEvent {
  readonly transactions: readonly Named[]
  /** Dismissed differences that have gone. */
  readonly gone?: readonly Named[]
}

interface ListEvent {
  readonly unreadable: readonly (string | null)[]
}

/** The transactions that a line names. */
function namedBy({ reason, transaction_uuid: uuid, event }: QuarantineLine): readonly (string | null)[] {
  if (reason === 'totals_differ') {
    const { transactions, gone = [] } = JSON.parse(event) as TotalsEvent
    return [...transactions, ...gone].map((one) => one.transaction_uuid ?? one.withdrawal_id)
  }
  return uuid === listKey(USER) ? (JSON.parse(event) as ListEvent).unreadable : [uuid]
}

const books = new WeakMap<MemoryLedger, Books>()

export function booksOf(ledger: MemoryLedger): Books {
  const before = books.get(ledger)
  if (before !== undefined) return before
  const read = readBooks(ledger)
  books.set(ledger, read)
  return read
}

function readBooks(ledger: MemoryLedger): Books {
  const names = new Map(
    ledger.rows('currencies').map(({ id, currency_code, network }) => [id, `${currency_code}@${network}`]),
  )
  const nameOf = (id: string): string => names.get(id) ?? id
  const postings = ledger.rows('postings')
  const rows = ledger.rows('withdrawals').filter(({ user_reference_id }) => user_reference_id === USER)
  const payouts = ledger.rows('payouts').filter(({ user_reference_id }) => user_reference_id === USER)
  const open = payouts.filter(({ owner }) => owner === null)
  const credits = postings
    .filter(({ kind }) => kind === 'credit' || kind === 'reversal')
    .map(({ posting_key, user_reference_id, currency_id, amount, kind }) => ({
      user: user_reference_id,
      uuid: aboutEntry({ kind, posting_key }).transaction_uuid ?? '',
      currency: nameOf(currency_id),
      amount: kind === 'credit' ? amount : negate(amount),
    }))
  return {
    unowned: open.map(({ transaction_uuid }) => transaction_uuid),
    acknowledged: payouts
      .filter(({ owner, status }) => owner === 'acknowledged' && status !== 'failed')
      .map((row) => ({ currency: nameOf(row.currency_id), amount: row.amount ?? '0' })),
    balances: ledger
      .rows('balances')
      .filter(({ user_reference_id }) => user_reference_id === USER)
      .map(({ currency_id, available, held }) => ({ currency: nameOf(currency_id), available, held })),
    credits: [...Map.groupBy(credits, ({ user, uuid, currency }) => `${user} ${uuid} ${currency}`).values()].flatMap(
      (all) => {
        const amount = sum(all.map((one) => one.amount))
        const [first] = all
        return first === undefined || isZero(amount) ? [] : [{ ...first, amount }]
      },
    ),
    withdrawals: rows.map((row) => ({
      id: row.id,
      status: row.status,
      attention: attentionOf(row, open, BOOKS_MS),
      amount: row.amount,
      currency: nameOf(row.currency_id),
      money: row.funds === 'none' ? 'released' : row.funds,
      uuid: row.transaction_uuid,
      reason: row.failure_reason,
      uncertain: row.status === 'unknown' || row.step === 'calling' || row.step === 'authorizing',
    })),
    lines: ledger.quarantine.flatMap((line) => namedBy(line).map((uuid) => ({ reason: line.reason, uuid }))),
  }
}
