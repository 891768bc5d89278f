/** What the search of corrections begins with, and the words about it. */
import { createCashier } from './cashier/create-cashier.ts'
import type { Kept } from './cashier/create-reader.ts'
import { bookEvents, NO_MERCHANT } from './cashier/merchant-books.ts'
import type { Subject, Word } from './corrected.ts'
import { D1 } from './scenes/deposit-scenes.ts'
import { ELSEWHERE, HASH, scene } from './scenes/scene-parts.ts'
import { cut, ok, one } from './scenes/withdrawal-scenes.ts'
import {
  ETH,
  listRecord,
  MERCHANT,
  named,
  NOW_MS,
  OTHER_USER,
  purchaseWebhook,
  toWire,
  transferWebhook,
  USDT,
  withValue,
  type Json,
  type JsonObject,
  type Reply,
  type Transfer,
} from './wire.ts'

const DEPOSIT: Transfer = { kind: 'deposit', uuid: D1, amount: '10', to: ELSEWHERE, hash: HASH }
const PAYOUT: Transfer = { kind: 'payout', uuid: named('a1'), amount: one.amount, to: one.to, hash: HASH }
const SESSION = { id: 'session-1', key: `${MERCHANT}:session-1`, fiat: '10' }
const PURCHASE = { uuid: named('c1'), amount: '10', hash: HASH, fiat: '10', key: SESSION.key, session: SESSION.id }

/** Only the list's own earlier word shows that a type is another one: without that it may be a new name of the type. */
const OTHER_TYPE = 'of another type'

function wordsOf(transfer: Transfer): readonly Word[] {
  const succeeded = listRecord(transfer, 'succeeded')
  const changed = (name: string, value: Json): readonly JsonObject[] => [
    withValue(succeeded, [name], value) as JsonObject,
  ]
  const money = (amount: string): string => (transfer.kind === 'payout' ? `-${amount}` : amount)
  const { id, code, name, network } = USDT
  const open = transfer.kind === 'payout' ? { isOpen: true as const } : {}
  return [
    { name: 'succeeded', records: [succeeded], money: [[ETH, money(transfer.amount)]] },
    { name: 'by another amount', records: changed('amount', '7'), money: [[ETH, money('7')]] },
    {
      name: 'in another currency',
      records: changed('currency', { id, code, name, symbol: code, network }),
      money: [[USDT, money(transfer.amount)]],
    },
    { name: 'failed', records: [listRecord(transfer, 'failed')], money: [] },
    { name: 'under way', records: [listRecord(transfer, 'processing')], money: [], ...open },
    { name: OTHER_TYPE, records: changed('type', 'Refund'), money: [], ...open },
    { name: 'gone', records: [], money: [] },
    { name: 'in an unknown state', records: changed('status', 'TXN_ODD'), money: [], ...open },
    { name: 'of another user', records: changed('user_ref_id', OTHER_USER), money: [] },
  ]
}

const without = (words: readonly Word[], ...names: readonly string[]): readonly Word[] =>
  words.filter(({ name }) => !names.includes(name))

/** The subjects, with what came before by who kept the books. */
export function subjectsOf(ledgerMode: 'embedded' | 'merchant'): readonly Subject<Kept>[] {
  const cashier = createCashier({ pinned: true, ledgerMode })
  const kept = (ledger: Kept['ledger']): Kept => ({
    ledger,
    totals: [],
    merchant: ledgerMode === 'embedded' ? NO_MERCHANT : bookEvents(NO_MERCHANT, ledger.feed, []),
  })
  const empty = (sessions: readonly (typeof SESSION)[] = []): Kept['ledger'] =>
    cashier.start({ ...scene('empty'), sessions })
  const told = (ledger: Kept['ledger'], body: JsonObject): Kept =>
    kept(cashier.webhooks(ledger, NOW_MS, [toWire(body)]))
  const withdrawn = (reply: Reply): Kept =>
    kept(cashier.reply(cashier.request(empty(), NOW_MS, one), NOW_MS, one.id, reply, 0))
  return [
    { name: 'a deposit of the list', start: kept(empty()), words: wordsOf(DEPOSIT), names: [D1] },
    {
      name: 'a deposit of an event and the list',
      start: told(empty(), transferWebhook(DEPOSIT, 'succeeded')),
      words: without(wordsOf(DEPOSIT), OTHER_TYPE),
      names: [D1],
    },
    {
      name: 'a purchase and its deposit',
      start: told(empty([SESSION]), purchaseWebhook(PURCHASE, 'succeeded')),
      words: without(wordsOf({ ...DEPOSIT, key: SESSION.key }), OTHER_TYPE),
      names: [D1, PURCHASE.uuid],
    },
    { name: 'a payout of nobody', start: kept(empty()), words: wordsOf(PAYOUT), names: [PAYOUT.uuid] },
    ...[
      { name: 'an accepted withdrawal', start: withdrawn(ok) },
      { name: 'a withdrawal without a reply', start: withdrawn(cut) },
    ].map((subject) => ({ ...subject, words: wordsOf(PAYOUT), names: [PAYOUT.uuid, one.id] })),
  ]
}
