/** The cashier's pure rules behind the port of the histories. Only this folder of the histories knows the cashier's code. */
import type { Currency } from '#lib/contract/cashier.ts'
import { compare, decimal } from '#lib/contract/money.ts'
import { Problem } from '#lib/contract/problems.ts'
import { hasUncertainTwin } from '#lib/server/cashier/uncertain-twin.ts'
import type { LedgerMode } from '#lib/server/ledger/accounts.ts'
import { reportTaken } from '#lib/server/ledger/disputes.ts'
import { asPayout } from '#lib/server/ledger/facts.ts'
import { reportAwaited, reportOverdue } from '#lib/server/ledger/overdue.ts'
import { freeNamed, matchOpenPayouts } from '#lib/server/ledger/payouts/payout-owners.ts'
import { post } from '#lib/server/ledger/post-entries.ts'
import { MemoryLedger } from '#lib/server/ledger/testing/memory-ledger.ts'
import { applyResolution, waitsFor } from '#lib/server/merchant/apply-resolution.ts'
import { applyOwner } from '#lib/server/merchant/set-payout-owner.ts'
import { settleReply } from '#lib/server/ledger/settle-reply.ts'
import { judgeAbsence } from '#lib/server/reconcile/judge-absence.ts'
import { sampleOnramp } from '#lib/server/store/testing/sample-rows.ts'
import type { WebhookRules } from '#lib/server/webhooks/apply-webhook.ts'
import { applyGroup } from '#lib/server/webhooks/receive-webhook.ts'
import type { Cashier } from '../port.ts'
import { ETH, MERCHANT, OTHER_USER, START_MS, USDT, USER, type Currency as WireCurrency } from '../wire.ts'
import { applyList, reportMissing, takenIn } from './apply-list.ts'
import { compareWithList, reportList } from './compare-with-list.ts'
import { booksOf } from './read-books.ts'
import { answerIn, eventIn, readingOf, recordsIn } from './read-messages.ts'
import { ABSENCE_MS, LEDGER_START_MS, OVERDUE_MS, listOptions } from './settings.ts'
import { intentOf, hold } from './intent.ts'

const currencyOf = ({ id, code, name, network }: WireCurrency): Currency => ({
  id,
  name,
  currency_code: code,
  symbol: code,
  network,
})

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

/** The cashier with or without `GATEWAY_MERCHANT_REFERENCE`, whoever keeps the books. */
export function createCashier({
  pinned,
  ledgerMode = 'embedded',
}: {
  readonly pinned: boolean
  readonly ledgerMode?: LedgerMode
}): Cashier<MemoryLedger> {
  const options = listOptions(ledgerMode)
  const rules: WebhookRules = {
    ledgerMode,
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
        if (ledgerMode === 'merchant') {
          unit.insertWithdrawal({ ...intent, funds: 'none', postings: 0 })
          return
        }
        if (compare(unit.balance(USER, ETH.id).available, intent.amount) < 0) return
        hold(unit, intent)
        unit.insertWithdrawal(intent)
      }).ledger
    },

    reply: (ledger, now, id, reply, clockOffsetMs) =>
      ledger.run(now, (unit) => {
        const row = unit.withdrawal(id)
        if (row === null || row.called_ms === null) return
        const { evidence, reply: read } = answerIn(reply)
        settleReply(unit, row, evidence, { reply: read, clockOffsetMs: reply.kind === 'died' ? null : clockOffsetMs })
      }).ledger,

    webhooks: (ledger, now, bodies) => {
      const items = bodies.flatMap((body) => {
        const parsed = eventIn(body)
        return parsed.outcome === 'malformed' ? [] : [{ parsed, body, sentS: now / 1000, fresh: true }]
      })
      return items.length === 0 ? ledger : ledger.run(now, (unit) => applyGroup(unit, items, rules)).ledger
    },

    list: (ledger, now, texts) => applyList(ledger, now, recordsIn(texts).records, options),

    wholeList: (ledger, now, texts) => {
      const { records, complete } = recordsIn(texts)
      const applied = applyList(ledger, now, records, options)
      const listed = complete ? reportMissing(applied, now, records) : applied
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
      const { ledger: after } = ledger.run(now, (unit) => {
        const withdrawals = unit.withdrawals().map(({ id }) => id)
        reportOverdue(unit, { withdrawals, transactions: unit.transactions() }, OVERDUE_MS)
        for (const user of [USER, OTHER_USER]) reportAwaited(unit, user, OVERDUE_MS)
      })
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
          applyResolution(unit, id, { resolution, listed: listed ?? null, taken, by: 'merchant' }, options),
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
