import { describe, expect, test } from 'vitest'
import type { Compared } from './cashier/compare-with-list.ts'
import { createCashier } from './cashier/create-cashier.ts'
import { createReader } from './cashier/create-reader.ts'
import { silencesOf, type Reader, type Subject, type Word } from './corrected.ts'
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

const cashier = createCashier({ pinned: true })
const reader = createReader(cashier)

const DEPOSIT: Transfer = { kind: 'deposit', uuid: D1, amount: '10', to: ELSEWHERE, hash: HASH }
const PAYOUT: Transfer = { kind: 'payout', uuid: named('a1'), amount: one.amount, to: one.to, hash: HASH }
const SESSION = { id: 'session-1', key: `${MERCHANT}:session-1`, fiat: '10' }
const PURCHASE = { uuid: named('c1'), amount: '10', hash: HASH, fiat: '10', key: SESSION.key, session: SESSION.id }

/** Only the list's own earlier word shows that a type is another one: without that it may be a new name of the type. */
const OTHER_TYPE = 'of another type'
/** A record that came first as another user's is not followed: this user has no transaction of it. */
const OTHER_OWNER = 'of another user'

function wordsOf(transfer: Transfer): readonly Word[] {
  const succeeded = listRecord(transfer, 'succeeded')
  const changed = (name: string, value: Json): readonly JsonObject[] => [
    withValue(succeeded, [name], value) as JsonObject,
  ]
  const money = (amount: string): string => (transfer.kind === 'payout' ? `-${amount}` : amount)
  const { id, code, name, network } = USDT
  return [
    { name: 'succeeded', records: [succeeded], money: [[ETH, money(transfer.amount)]] },
    { name: 'by another amount', records: changed('amount', '7'), money: [[ETH, money('7')]] },
    {
      name: 'in another currency',
      records: changed('currency', { id, code, name, symbol: code, network }),
      money: [[USDT, money(transfer.amount)]],
    },
    { name: 'failed', records: [listRecord(transfer, 'failed')], money: [] },
    { name: 'under way', records: [listRecord(transfer, 'processing')], money: [] },
    { name: OTHER_TYPE, records: changed('type', 'Refund'), money: [] },
    { name: 'gone', records: [], money: [] },
    { name: 'in an unknown state', records: changed('status', 'TXN_ODD'), money: [] },
    { name: OTHER_OWNER, records: changed('user_ref_id', OTHER_USER), money: [] },
  ]
}

const without = (words: readonly Word[], ...names: readonly string[]): readonly Word[] =>
  words.filter(({ name }) => !names.includes(name))

const afterOwn = (words: readonly Word[]): readonly Word[] =>
  words.map((word) => (word.name === OTHER_OWNER ? { ...word, isLater: true } : word))

const empty = (sessions: readonly (typeof SESSION)[] = []): Compared => ({
  ledger: cashier.start({ ...scene('empty'), sessions }),
  totals: [],
})
const told = ({ ledger, totals }: Compared, body: JsonObject): Compared => ({
  ledger: cashier.webhooks(ledger, NOW_MS, [toWire(body)]),
  totals,
})
function withdrawn(reply: Reply): Compared {
  const { ledger, totals } = empty()
  return { ledger: cashier.reply(cashier.request(ledger, NOW_MS, one), NOW_MS, one.id, reply, 0), totals }
}

const SUBJECTS: readonly Subject<Compared>[] = [
  { name: 'a deposit of the list', start: empty(), words: afterOwn(wordsOf(DEPOSIT)), names: [D1] },
  {
    name: 'a deposit of an event and the list',
    start: told(empty(), transferWebhook(DEPOSIT, 'succeeded')),
    words: without(wordsOf(DEPOSIT), OTHER_TYPE),
    names: [D1],
  },
  {
    name: 'a purchase and its deposit',
    start: told(empty([SESSION]), purchaseWebhook(PURCHASE, 'succeeded')),
    words: afterOwn(without(wordsOf({ ...DEPOSIT, key: SESSION.key }), OTHER_TYPE)),
    names: [D1, PURCHASE.uuid],
  },
  ...[
    { name: 'an accepted withdrawal', start: withdrawn(ok) },
    { name: 'a withdrawal without a reply', start: withdrawn(cut) },
  ].map((subject) => ({ ...subject, words: wordsOf(PAYOUT), names: [PAYOUT.uuid, one.id] })),
]

/** Long enough for: a word, another that a person acts on, a third that a person acts on, and a fourth. */
const WORDS = 4

describe.each(SUBJECTS)('$name', (subject) => {
  test('of each change that a person could have corrected before, a person is told', () => {
    const { histories, silences } = silencesOf(reader, subject, WORDS)
    expect(silences).toEqual([])
    expect(histories).toBeGreaterThan(10_000)
  })

  test('without its lines, the change that nobody was told is found', () => {
    const silent: Reader<Compared> = {
      ...reader,
      books: (state) => ({ ...reader.books(state), lines: [], unowned: [] }),
    }
    expect(silencesOf(silent, subject, 2).silences.length).toBeGreaterThan(0)
  })
})
