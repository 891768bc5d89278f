/** The cashier's pure rules behind the port of the histories: the only file here that knows the cashier's code. */
import type { Currency } from '#lib/contract/cashier.ts'
import { compare, decimal, isZero, negate, sum } from '#lib/contract/money.ts'
import { hasUncertainTwin } from '#lib/server/cashier/uncertain-twin.ts'
import { evidenceOf } from '#lib/server/cashier/withdrawal-evidence.ts'
import { UnreachableError } from '#lib/server/gateway/errors.ts'
import { listedRecords } from '#lib/server/gateway/listed-records.ts'
import { createStatusReader } from '#lib/server/gateway/status-words.ts'
import { parseLosslessJson } from '#lib/server/gateway/lossless-json.ts'
import { OPERATIONS } from '#lib/server/gateway/operations.ts'
import { parseWebhook, type ParsedWebhook } from '#lib/server/gateway/parse-webhook.ts'
import { readReply } from '#lib/server/gateway/read-reply.ts'
import { transactionsReply } from '#lib/server/gateway/schemas.ts'
import { aboutEntry } from '#lib/server/ledger/about-entry.ts'
import { applyMisplaced, applyRecords, reportForeign } from '#lib/server/ledger/apply-records.ts'
import { compareTotals, gatewayAmount, reportTotals, totalsKey } from '#lib/server/ledger/control-totals.ts'
import { reportTaken } from '#lib/server/ledger/disputes.ts'
import { asPayout, type ListedRecord } from '#lib/server/ledger/facts.ts'
import { Problem } from '#lib/contract/problems.ts'
import { attentionOf } from '#lib/server/ledger/payouts/attention.ts'
import { followNamed, freeNamed, matchOpenPayouts } from '#lib/server/ledger/payouts/payout-owners.ts'
import { asOwnRecord, ownerOfRecord } from '#lib/server/ledger/record-owner.ts'
import { transferOf } from '#lib/server/reconcile/check-totals.ts'
import { judgeAbsence } from '#lib/server/reconcile/judge-absence.ts'
import { MemoryLedger } from '#lib/server/ledger/testing/memory-ledger.ts'
import { post } from '#lib/server/ledger/post-entries.ts'
import { listKey, reportOverdue, reportUnreadable } from '#lib/server/ledger/overdue.ts'
import { settleWithdrawal } from '#lib/server/ledger/settle-withdrawal.ts'
import type { UnitOfWork } from '#lib/server/ledger/unit-of-work.ts'
import { reportVanished } from '#lib/server/ledger/vanished-records.ts'
import type { Evidence } from '#lib/server/ledger/withdrawal-states.ts'
import type { QuarantineLine, TakenPayout, WithdrawalColumns, WithdrawalRow } from '#lib/server/ledger/rows.ts'
import { sampleOnramp, sampleWithdrawal } from '#lib/server/store/testing/sample-rows.ts'
import { applyGroup } from '#lib/server/webhooks/receive-webhook.ts'
import type { WebhookRules } from '#lib/server/webhooks/apply-webhook.ts'
import { applyResolution, waitsFor } from '#lib/server/merchant/apply-resolution.ts'
import { applyOwner } from '#lib/server/merchant/set-payout-owner.ts'
import type { Books, Cashier, WholeRead } from './port.ts'
import type { What, WithdrawalPlan } from './story.ts'
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

/** No word was learned. */
const STATUSES = createStatusReader(new Map())

const ABSENCE_MS = 3_600_000
const LEDGER_START_MS = START_MS - 86_400_000
/** `OVERDUE_S`. */
const OVERDUE_MS = 86_400_000
/** When somebody looks at the books. */
const BOOKS_MS = START_MS + 9 * 86_400_000

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
  return read.success ? (listedRecords(read.data.edges, STATUSES)[0] ?? null) : null
})

const uuidIn = once((text): string | null => {
  const { transaction_uuid: uuid } = JSON.parse(text) as { readonly transaction_uuid?: unknown }
  return typeof uuid === 'string' && uuid !== '' ? uuid : null
})

function evidenceIn(reply: Reply): Evidence {
  if (reply.kind === 'unreachable')
    return evidenceOf(new UnreachableError('no connection', { operation: 'withdraw' }), STATUSES)
  if (reply.kind !== 'answered') return { kind: 'uncertain' }
  try {
    const body = Buffer.from(toWire(reply.body), 'utf8')
    const read = readReply(
      OPERATIONS.withdraw,
      { status: reply.status, headers: {}, body },
      {
        now: START_MS,
        statuses: STATUSES,
      },
    )
    return {
      kind: 'accepted',
      requires_approval: read.requires_approval,
      status: STATUSES.record(read.status),
      amount: read.amount,
      transaction_uuid: read.transaction_uuid,
    }
  } catch (error) {
    return evidenceOf(error, STATUSES)
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
      const text = toWire(what.record)
      const listed = recordIn(text)
      return JSON.stringify(listed === null ? { unreadable: uuidIn(text) } : { ...listed, record: null })
    }
  }
}

/** A withdrawal whose call begins now. */
const intentOf = (
  user: string,
  { id, amount, to }: WithdrawalPlan,
  now: number,
  more: Partial<WithdrawalColumns> = {},
): WithdrawalRow =>
  sampleWithdrawal({
    id,
    user_reference_id: user,
    idempotency_key: id,
    currency_id: ETH.id,
    currency_code: ETH.code,
    network: ETH.network,
    amount: decimal(amount),
    wallet_address: to,
    step: 'calling',
    created_ms: now,
    called_ms: now,
    updated_ms: now,
    ...more,
  })

const hold = (unit: UnitOfWork, { id, user_reference_id, currency_id, amount }: WithdrawalRow): void => {
  post(unit, { booking: 'hold', posting_key: `hold:${id}`, user_reference_id, currency_id, amount })
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
  matchOpenPayouts(unit, row.user_reference_id, clockOffsetMs)
}

/** Reports the stored records that a complete list lacks. */
function missing(ledger: MemoryLedger, now: number, records: readonly ListedRecord[]): MemoryLedger {
  const present = new Set(records.map(({ transaction_uuid }) => transaction_uuid))
  const gone = ledger.rows('records').filter(({ transaction_uuid }) => !present.has(transaction_uuid))
  if (gone.length === 0) return ledger
  const uuids = gone.map(({ transaction_uuid }) => transaction_uuid)
  return ledger.run(now, (unit) => {
    reportVanished(unit, USER, uuids, 'embedded')
  }).ledger
}

const LIST_OPTIONS = { ledgerMode: 'embedded', ledgerStartMs: LEDGER_START_MS, clockOffset: 0 } as const

const isKnownUser = (name: string): boolean => name === USER || name === OTHER_USER

/** Applies the records of this user's list, as `store/unit/apply-list.ts` does it. */
function applyList(ledger: MemoryLedger, now: number, records: readonly ListedRecord[]): MemoryLedger {
  const stored = new Map(ledger.rows('records').map((row) => [row.transaction_uuid, row.record]))
  const changed = (listed: ListedRecord): boolean => stored.get(listed.transaction_uuid) !== listed.record
  // An unchanged record matters only if a withdrawal may have been waiting for it.
  const waits = ledger.rows('withdrawals').some(({ status }) => status !== 'succeeded')
  const isOwn = ({ user_reference_id }: ListedRecord): boolean =>
    ownerOfRecord(USER, user_reference_id, isKnownUser) === 'own'
  const wanted = records
    .filter((one) => isOwn(one) && (changed(one) || one.fact === null || (waits && asPayout(one) !== null)))
    .map((one) => asOwnRecord(USER, one))
  const foreign = records.filter((one) => !isOwn(one))
  if (wanted.length + foreign.length === 0) return ledger
  return ledger.run(now, (unit) => {
    applyMisplaced(unit, foreign, LIST_OPTIONS)
    reportForeign(unit, USER, foreign)
    applyRecords(unit, wanted, (one) => stored.get(one.transaction_uuid) !== one.record, LIST_OPTIONS)
  }).ledger
}

/** The payouts of this user's list that another user has, as `quarantine.takenPayouts` reads them. */
function takenIn(ledger: MemoryLedger): readonly TakenPayout[] {
  const isOthers = (row: { readonly user_reference_id: string; readonly transaction_uuid: string | null }): boolean =>
    row.user_reference_id !== USER && isKnownUser(row.user_reference_id)
  const others = new Set(
    [...ledger.rows('payouts'), ...ledger.rows('withdrawals')].filter(isOthers).map((row) => row.transaction_uuid),
  )
  const names = (lines: readonly QuarantineLine[], uuid: string): boolean =>
    lines.some(
      ({ reason, user_reference_id, transaction_uuid }) =>
        transaction_uuid === uuid &&
        user_reference_id === USER &&
        (reason === 'list_conflict' || reason === 'contradiction'),
    )
  return ledger
    .rows('records')
    .filter(({ user_reference_id, transaction_uuid }) => user_reference_id === USER && others.has(transaction_uuid))
    .map(({ transaction_uuid, record }) => ({
      transaction_uuid,
      record,
      isTold: names(ledger.quarantine, transaction_uuid),
    }))
    .filter(({ transaction_uuid, isTold }) => isTold || !names(ledger.dismissed, transaction_uuid))
}

/** Whether a call was not refused, or what it has changed all the same is kept. */
function isKept(call: () => unknown): boolean {
  try {
    call()
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const recordsIn = (texts: readonly string[]) => {
  const read = texts.map(recordIn)
  const records = read.filter((record) => record !== null)
  const foreign = records.some((one) => ownerOfRecord(USER, one.user_reference_id, isKnownUser) === 'foreign')
  return { records, complete: records.length === texts.length && !foreign }
}

/** Compares the books with a complete list, as `reconcile/check-totals.ts` does it. */
function compareWithList(ledger: MemoryLedger, now: number, records: readonly ListedRecord[]): MemoryLedger {
  const present = new Set(records.map(({ transaction_uuid }) => transaction_uuid))
  const listed = ledger
    .rows('records')
    .filter((row) => STATUSES.record(row.status) === 'succeeded' && present.has(row.transaction_uuid))
    .map(transferOf)
  const withdrawals = ledger.rows('withdrawals')
  const currencies = ledger.rows('currencies').map((one) => ({ ...one, currency_id: one.id }))
  const names = new Map([...listed, ...withdrawals, ...currencies].map((one) => [one.currency_id, one]))
  const bookings = ledger
    .rows('postings')
    .filter(({ user_reference_id }) => user_reference_id === USER)
    .filter(({ from_account, to_account }) => from_account === 'gateway' || to_account === 'gateway')
    .map(({ posting_key, currency_id, amount, from_account }) => {
      const { currency_code = '', network = '' } = names.get(currency_id) ?? {}
      const moved = gatewayAmount(amount, from_account)
      return { posting_key, currency_id, currency_code, network, amount: moved, created_ms: START_MS }
    })
  const totals = compareTotals(USER, listed, bookings, {
    nowMs: now,
    ledgerStartMs: LEDGER_START_MS,
    overdueMs: OVERDUE_MS,
    settledBeforeMs: now,
    payouts: new Map(ledger.rows('payouts').map((row) => [row.transaction_uuid, row])),
    withdrawals: new Map(withdrawals.map((row) => [row.id, row])),
  })
  const { raised } = reportTotals([], totals)
  if (raised.length === 0) return ledger
  return ledger.run(now, (unit) => {
    for (const { currency_id, event } of raised)
      unit.quarantineOnce({
        ...{ reason: 'totals_differ', event_name: null, user_reference_id: USER, event },
        transaction_uuid: totalsKey(USER, currency_id),
      })
  }).ledger
}

const isUnreadable = (text: string): boolean => recordIn(text) === null

/** Since when the reads of the list have found records that cannot be read; null: all are readable. */
function unreadableSince(reads: readonly WholeRead[]): number | null {
  const readable = reads.findLastIndex(({ records }) => !records.some(isUnreadable))
  return reads[readable + 1]?.at ?? null
}

/**
 * Reports the user's list as `reconcile/find-overdue.ts` does it. Who reads that line looks into the gateway's list: the
 * uuids of its unreadable records are kept with the line.
 */
function reportList(ledger: MemoryLedger, now: number, reads: readonly WholeRead[]): MemoryLedger {
  const isOfList = ({ transaction_uuid }: QuarantineLine): boolean => transaction_uuid === listKey(USER)
  const sinceMs = unreadableSince(reads)
  const before = ledger.quarantine.filter(isOfList)
  if (sinceMs === null || now - sinceMs < OVERDUE_MS) return before.length > 0 ? ledger.settled(before) : ledger
  if (before.length > 0) return ledger
  const { ledger: told } = ledger.run(now, (unit) => {
    reportUnreadable(unit, USER, sinceMs)
  })
  const lines = told.quarantine.filter(isOfList)
  const unreadable = (reads.at(-1)?.records ?? []).filter(isUnreadable).map(uuidIn)
  return told.settled(lines).run(now, (unit) => {
    for (const line of lines) unit.quarantineOnce({ ...line, event: JSON.stringify({ unreadable }) })
  }).ledger
}

interface TotalsEvent {
  readonly transactions: readonly Record<'transaction_uuid' | 'withdrawal_id', string | null>[]
}

interface ListEvent {
  readonly unreadable: readonly (string | null)[]
}

/** The transactions that a line names. */
function namedBy({ reason, transaction_uuid: uuid, event }: QuarantineLine): readonly (string | null)[] {
  if (reason === 'totals_differ')
    return (JSON.parse(event) as TotalsEvent).transactions.map((one) => one.transaction_uuid ?? one.withdrawal_id)
  return uuid === listKey(USER) ? (JSON.parse(event) as ListEvent).unreadable : [uuid]
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
  const rows = ledger.rows('withdrawals').filter(({ user_reference_id }) => user_reference_id === USER)
  const open = ledger
    .rows('payouts')
    .filter(({ owner, user_reference_id }) => owner === null && user_reference_id === USER)
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

/** The cashier with or without `GATEWAY_MERCHANT_REFERENCE`. */
export function createCashier({ pinned }: { readonly pinned: boolean }): Cashier<MemoryLedger> {
  const rules: WebhookRules = {
    ledgerMode: 'embedded',
    ledgerStartMs: LEDGER_START_MS,
    merchantReference: pinned ? MERCHANT : null,
  }
  return {
    reading: readingOf,

    start: ({ sessions, funds, alike }) =>
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
            ...(key === null && { link: null }),
            metadata: null,
            created_ms: START_MS,
            updated_ms: START_MS,
          }),
        ),
      }).run(START_MS, (unit) => {
        const booking = { booking: 'adjustment', currency_id: ETH.id, amount: decimal(funds) } as const
        post(unit, { ...booking, posting_key: 'adjustment:funds', user_reference_id: USER })
        if (alike === null) return
        const ended = { step: 'ended', call_ended_ms: START_MS, clock_offset_ms: 0 } as const
        const accepted = intentOf(OTHER_USER, alike, START_MS, ended)
        post(unit, { ...booking, posting_key: 'adjustment:other', user_reference_id: OTHER_USER })
        hold(unit, accepted)
        unit.insertWithdrawal(accepted)
      }).ledger,

    request: (ledger, now, plan) => {
      const intent = intentOf(USER, plan, now)
      return ledger.run(now, (unit) => {
        if (hasUncertainTwin(unit, intent)) return
        if (compare(unit.balance(USER, ETH.id).available, intent.amount) < 0) return
        hold(unit, intent)
        unit.insertWithdrawal(intent)
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
      const { records, complete } = recordsIn(texts)
      const applied = applyList(ledger, now, records)
      const listed = complete ? missing(applied, now, records) : applied
      const isOpen = listed.rows('payouts').some(({ owner }) => owner === null)
      if (!isOpen && !listed.rows('withdrawals').some(({ status }) => status === 'unknown')) return listed
      const taken = complete ? takenIn(listed) : []
      return listed.run(now, (unit) => {
        reportTaken(unit, USER, taken)
        matchOpenPayouts(unit, USER, 0)
        const scan = { complete: complete && taken.length === 0, beganMs: now }
        for (const row of unit.withdrawals())
          if (row.status === 'unknown') judgeAbsence(unit, row, scan, { absenceMs: ABSENCE_MS, offset: 0 })
      }).ledger
    },

    deadlines: (ledger, now, reads) => {
      const { ledger: after } = ledger.run(now, (unit) =>
        reportOverdue(
          unit,
          { withdrawals: unit.withdrawals().map(({ id }) => id), transactions: unit.transactions() },
          OVERDUE_MS,
        ),
      )
      return reportList(after, now, reads)
    },

    totals: (ledger, now, texts) => {
      const { records, complete } = recordsIn(texts)
      return complete ? compareWithList(ledger, now, records) : ledger
    },

    resolve: (ledger, now, id, resolution, texts) => {
      const uuid = resolution.outcome === 'sent' ? resolution.transaction_uuid : null
      const listed = recordsIn(texts).records.find((one) => one.transaction_uuid === uuid && asPayout(one) !== null)
      const taken = resolution.outcome === 'not_sent' ? takenIn(ledger) : []
      const { ledger: after, result } = ledger.run(now, (unit) => {
        const row = unit.withdrawal(id)
        if (uuid !== null && listed === undefined && (row === null || !waitsFor(row, uuid))) return false
        return isKept(() =>
          applyResolution(unit, id, { resolution, listed: listed ?? null, taken, by: 'merchant' }, LIST_OPTIONS),
        )
      })
      return result ? after : null
    },

    own: (ledger, now, uuid, request) => {
      const { ledger: after, result } = ledger.run(now, (unit) => {
        const payout = unit.payout(uuid)
        if (payout?.owner !== null) return false
        if ('withdrawal_id' in request) freeNamed(unit, payout, request.withdrawal_id)
        return isKept(() => applyOwner(unit, payout, request))
      })
      return result ? after : null
    },

    dismiss: (ledger) => ledger.settled(ledger.quarantine, 'person'),

    books: booksOf,
  }
}
