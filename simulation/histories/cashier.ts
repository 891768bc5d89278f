/** The cashier's pure rules behind the port of the histories: the only file here that knows the cashier's code. */
import type { Currency } from '#lib/contract/cashier.ts'
import { comparableAddress } from '#lib/addresses/index.ts'
import { canonical, compare, decimal, isZero, negate, sum } from '#lib/contract/money.ts'
import { evidenceOf } from '#lib/server/cashier/withdrawal-evidence.ts'
import { UnreachableError } from '#lib/server/gateway/errors.ts'
import { listedRecords, recordStatus } from '#lib/server/gateway/listed-records.ts'
import { parseLosslessJson } from '#lib/server/gateway/lossless-json.ts'
import { OPERATIONS } from '#lib/server/gateway/operations.ts'
import { parseWebhook, type ParsedWebhook } from '#lib/server/gateway/parse-webhook.ts'
import { readReply } from '#lib/server/gateway/read-reply.ts'
import { transactionsReply } from '#lib/server/gateway/schemas.ts'
import { applyMisplaced, applyRecords } from '#lib/server/ledger/apply-records.ts'
import { asPayout, type ListedRecord } from '#lib/server/ledger/facts.ts'
import { followNamed, isPayout, settleByPayout } from '#lib/server/ledger/follow-payout.ts'
import { MemoryLedger } from '#lib/server/ledger/testing/memory-ledger.ts'
import { post } from '#lib/server/ledger/post-entries.ts'
import { settleWithdrawal } from '#lib/server/ledger/settle-withdrawal.ts'
import type { UnitOfWork } from '#lib/server/ledger/unit-of-work.ts'
import {
  askForPerson,
  endAttention,
  reviewAccepted,
  reviewNamed,
  unmatchedPayout,
} from '#lib/server/ledger/unmatched-payout.ts'
import { isNamedByErrorAlone, type Evidence } from '#lib/server/ledger/withdrawal-states.ts'
import { hasWithdrawalEnded, isOpenWithdrawal } from '#lib/server/ledger/withdrawal-statuses.ts'
import type { WithdrawalRow } from '#lib/server/ledger/rows.ts'
import { sampleOnramp, sampleWithdrawal } from '#lib/server/store/testing/sample-rows.ts'
import { applyGroup } from '#lib/server/webhooks/receive-webhook.ts'
import type { WebhookRules } from '#lib/server/webhooks/apply-webhook.ts'
import type { Books, Cashier } from './port.ts'
import type { What } from './story.ts'
import {
  ETH,
  MERCHANT,
  OTHER_USER,
  START_MS,
  toWire,
  USDT,
  USER,
  type Currency as WireCurrency,
  type Reply,
} from './wire.ts'

const ABSENCE_MS = 3_600_000

const currencyOf = ({ id, code, name, network }: WireCurrency): Currency => ({
  id,
  name,
  currency_code: code,
  symbol: code,
  network,
})

/** A function that reads each text once. */
function once<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined || known.has(text)) return before as T
    const value = read(text)
    known.set(text, value)
    return value
  }
}

const eventIn = once((body): ParsedWebhook => parseWebhook(Buffer.from(body, 'utf8')))

/** A page with this record; null if the record cannot be read. */
const recordIn = once((text): ListedRecord | null => {
  const page = `{"edges":[{"cursor":"c","inserted_at":"2026-11-20T12:00:00Z","node":${text}}],"page_info":{"has_next_page":false,"has_previous_page":false},"total_count":1}`
  const read = transactionsReply.safeParse(parseLosslessJson(Buffer.from(page, 'utf8')))
  return read.success ? (listedRecords(read.data.edges)[0] ?? null) : null
})

function evidenceIn(reply: Reply): Evidence {
  if (reply.kind === 'unreachable') return evidenceOf(new UnreachableError('no connection', { operation: 'withdraw' }))
  if (reply.kind !== 'answered') return { kind: 'uncertain' }
  try {
    const body = Buffer.from(toWire(reply.body), 'utf8')
    const read = readReply(OPERATIONS.withdraw, { status: reply.status, headers: {}, body }, START_MS)
    return {
      kind: 'accepted',
      requires_approval: read.requires_approval,
      status: recordStatus(read.status),
      amount: read.amount,
      transaction_uuid: read.transaction_uuid,
    }
  } catch (error) {
    return evidenceOf(error)
  }
}

function readingOf(what: What): string {
  switch (what.kind) {
    case 'request':
      return what.withdrawal.id
    case 'reply':
      return JSON.stringify([what.withdrawal, evidenceIn(what.reply), what.clockOffsetMs, what.reply.kind])
    case 'webhook':
      return JSON.stringify(eventIn(toWire(what.body)))
    case 'listed': {
      const listed = recordIn(toWire(what.record))
      return JSON.stringify(listed && { ...listed, record: null })
    }
  }
}

/** Step 4 of a withdrawal, as `cashier/withdrawal-call.ts` does it. */
function settleReply(unit: UnitOfWork, row: WithdrawalRow, said: Evidence, clockOffsetMs: number | null): void {
  const named = 'transaction_uuid' in said ? said.transaction_uuid : null
  const owner = named === null ? null : unit.withdrawalOf(named)
  const isOthers = owner !== null && owner.id !== row.id
  const evidence: Evidence = !isOthers
    ? said
    : said.kind === 'accepted'
      ? { ...said, transaction_uuid: null }
      : { kind: 'uncertain' }
  if (named !== null && !isOthers) followNamed(unit, row, named)
  const also = {
    step: 'ended',
    driver: null,
    call_ended_ms: unit.now,
    clock_offset_ms: clockOffsetMs,
    absent_scans: 0,
    checked_ms: null,
  } as const
  settleWithdrawal(unit, unit.withdrawal(row.id) ?? row, { evidence, source: 'cashier', also })
}

/** What a complete scan says about an uncertain withdrawal, as `reconcile/check-unknown-withdrawals.ts` does it. */
function judge(unit: UnitOfWork, row: WithdrawalRow, records: readonly ListedRecord[], complete: boolean): void {
  const ended = row.call_ended_ms === null ? null : row.call_ended_ms + (row.clock_offset_ms ?? 0)
  const proves = complete && ended !== null && unit.now >= ended + ABSENCE_MS
  if (!proves) return
  const payout = unmatchedPayout(unit, row, records, 0)
  const checked = { ...row, absent_scans: row.absent_scans + (payout === null ? 1 : 0), checked_ms: unit.now }
  unit.putWithdrawal(checked)
  if (payout !== null) {
    askForPerson(unit, checked, payout)
    return
  }
  const free = endAttention(unit, checked)
  if (checked.absent_scans >= 2)
    settleWithdrawal(unit, free, { evidence: { kind: 'absent' }, source: 'reconciliation' })
}

/** As `reconcile/compare-user.ts` does it. */
function review(unit: UnitOfWork, row: WithdrawalRow, records: readonly ListedRecord[], broken: boolean): void {
  if (unit.now - (row.call_ended_ms ?? row.created_ms) < ABSENCE_MS) return
  if (row.record_status !== null) return
  if (row.transaction_uuid === null) reviewAccepted(unit, row, records, { offset: 0, broken })
  else reviewNamed(unit, row, records, 0)
}

/** Applies the records of a list of this user. */
function applyList(ledger: MemoryLedger, now: number, records: readonly ListedRecord[]): MemoryLedger {
  const stored = new Map(ledger.rows('records').map((row) => [row.transaction_uuid, row.record]))
  const changed = (listed: ListedRecord): boolean => stored.get(listed.transaction_uuid) !== listed.record
  // An unchanged record matters only if a withdrawal may have been waiting for it.
  const waits = ledger.rows('withdrawals').some(({ status }) => status !== 'succeeded')
  const wanted = records.filter(
    (one) => one.user_reference_id === USER && (changed(one) || one.fact === null || (waits && asPayout(one) !== null)),
  )
  const foreign = records.filter((listed) => listed.user_reference_id !== USER)
  const options = { ledgerMode: 'embedded', clockOffset: 0 } as const
  if (wanted.length + foreign.length === 0) return ledger
  return ledger.run(now, (unit) => {
    applyMisplaced(unit, foreign, options)
    applyRecords(unit, wanted, changed, options)
  }).ledger
}

function resolve(
  unit: UnitOfWork,
  id: string,
  outcome: { readonly outcome: 'sent'; readonly uuid: string } | { readonly outcome: 'not_sent' },
  records: readonly ListedRecord[],
): boolean {
  const row = unit.withdrawal(id)
  if (row === null || (row.status !== 'unknown' && row.attention === null)) return false
  if (outcome.outcome === 'not_sent') {
    if (row.status !== 'unknown' && !isNamedByErrorAlone(row)) return false
    settleWithdrawal(unit, row, { evidence: { kind: 'absent' }, source: 'cashier' })
    return true
  }
  const listed = records.find(({ transaction_uuid }) => transaction_uuid === outcome.uuid)
  const owner = unit.withdrawalOf(outcome.uuid)
  if (listed === undefined || (owner !== null && owner.id !== id)) return false
  unit.putWithdrawal({ ...row, transaction_uuid: outcome.uuid })
  applyRecords(unit, [listed], () => true, { ledgerMode: 'embedded' })
  const linked = unit.withdrawal(id) ?? row
  const fact = asPayout(listed)
  if (!hasWithdrawalEnded(linked.status) && fact !== null && isPayout(fact)) {
    const stored = unit.transaction('payout', outcome.uuid)
    if (stored !== null) unit.putTransaction({ ...stored, withdrawal_id: id })
    settleByPayout(unit, linked, fact, 'reconciliation')
  }
  return true
}

const recordsIn = (texts: readonly string[]) => {
  const read = texts.map(recordIn)
  const records = read.filter((record) => record !== null)
  const foreign = records.some(({ user_reference_id }) => user_reference_id !== USER)
  return { records, complete: records.length === texts.length, broken: foreign || records.length < texts.length }
}

const books = new WeakMap<MemoryLedger, Books>()

function booksOf(ledger: MemoryLedger): Books {
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
  const credits = postings
    .filter(({ kind }) => kind === 'credit' || kind === 'reversal')
    .map(({ posting_key, user_reference_id, currency_id, amount, kind }) => ({
      user: user_reference_id,
      uuid: posting_key.split(':')[2] ?? '',
      currency: nameOf(currency_id),
      amount: kind === 'credit' ? amount : negate(amount),
    }))
  return {
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
    withdrawals: ledger.rows('withdrawals').map((row) => ({
      id: row.id,
      status: row.status,
      attention: row.attention,
      amount: row.amount,
      currency: nameOf(row.currency_id),
      money: row.funds === 'none' ? 'released' : row.funds,
      uuid: row.transaction_uuid,
      uncertain: row.status === 'unknown' || row.step === 'calling' || row.step === 'authorizing',
    })),
    lines: ledger.quarantine.map(({ reason, transaction_uuid }) => ({ reason, uuid: transaction_uuid })),
  }
}

/** The cashier with or without `GATEWAY_MERCHANT_REFERENCE`. */
export function createCashier({ pinned }: { readonly pinned: boolean }): Cashier<MemoryLedger> {
  const rules: WebhookRules = { ledgerMode: 'embedded', merchantReference: pinned ? MERCHANT : null }
  return {
    reading: readingOf,

    start: ({ sessions, funds }) =>
      MemoryLedger.with({
        users: [USER, OTHER_USER].map((user_reference_id) => ({ user_reference_id, known: 1 })),
        currencies: [ETH, USDT].map((one) => ({ ...currencyOf(one), listed: true })),
        onramps: sessions.map(({ id, key, fiat }) =>
          sampleOnramp({
            id,
            user_reference_id: USER,
            currency_id: ETH.id,
            currency_code: ETH.code,
            network: ETH.network,
            amount: decimal(fiat),
            correlation_key: key,
            metadata: null,
            created_ms: START_MS,
            updated_ms: START_MS,
          }),
        ),
      }).run(START_MS, (unit) =>
        post(unit, {
          booking: 'adjustment',
          posting_key: 'adjustment:funds',
          user_reference_id: USER,
          currency_id: ETH.id,
          amount: decimal(funds),
        }),
      ).ledger,

    request: (ledger, now, { id, amount, to }) => {
      const address_key = comparableAddress(ETH.network, to)
      const amount_key = canonical(decimal(amount))
      const owner = { user_reference_id: USER, currency_id: ETH.id }
      return ledger.run(now, (unit) => {
        const twin = unit
          .withdrawalsMatching({ ...owner, amount_key, address_key })
          .some(({ status }) => status === 'unknown')
        if (twin || compare(unit.balance(USER, ETH.id).available, decimal(amount)) < 0) return
        post(unit, { booking: 'hold', posting_key: `hold:${id}`, ...owner, amount: decimal(amount) })
        unit.insertWithdrawal(
          sampleWithdrawal({
            ...owner,
            id,
            idempotency_key: id,
            currency_code: ETH.code,
            network: ETH.network,
            amount: decimal(amount),
            wallet_address: to,
            address_key,
            amount_key,
            step: 'calling',
            created_ms: now,
            called_ms: now,
            updated_ms: now,
          }),
        )
      }).ledger
    },

    reply: (ledger, now, id, reply, clockOffsetMs) =>
      ledger.run(now, (unit) => {
        const row = unit.withdrawal(id)
        if (row !== null) settleReply(unit, row, evidenceIn(reply), reply.kind === 'died' ? null : clockOffsetMs)
      }).ledger,

    webhooks: (ledger, now, bodies) => {
      const items = bodies.flatMap((body) => {
        const parsed = eventIn(body)
        return parsed.outcome === 'malformed' ? [] : [{ parsed, body, sentS: now / 1000, fresh: true }]
      })
      return items.length === 0 ? ledger : ledger.run(now, (unit) => applyGroup(unit, items, rules)).ledger
    },

    list: (ledger, now, texts) => applyList(ledger, now, recordsIn(texts).records),

    wholeList: (ledger, now, texts) => {
      const { records, complete, broken } = recordsIn(texts)
      const listed = applyList(ledger, now, records)
      if (!listed.rows('withdrawals').some(({ status }) => status === 'unknown' || isOpenWithdrawal(status)))
        return listed
      return listed.run(now, (unit) => {
        for (const row of unit.withdrawals())
          if (row.status === 'unknown') judge(unit, row, records, complete)
          else if (isOpenWithdrawal(row.status)) review(unit, row, records, broken)
      }).ledger
    },

    deadlines: (ledger) => ledger,

    resolve: (ledger, now, id, resolution, texts) => {
      const { ledger: after, result } = ledger.run(now, (unit) =>
        resolve(unit, id, resolution, recordsIn(texts).records),
      )
      return result ? after : null
    },

    acknowledge: (ledger) => ledger,

    dismiss: (ledger) => ledger.settled(ledger.quarantine),

    books: booksOf,
  }
}
