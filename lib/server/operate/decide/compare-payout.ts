/** A payout beside a withdrawal that it may belong to, field by field (`ledger/compare.ts`). */
import { subtract, type Decimal } from '#lib/contract/money.ts'
import type { ComparedField } from '#lib/contract/operate/decide.ts'
import {
  compareAddresses,
  compareAmounts,
  compareCurrencies,
  compareTexts,
  type Comparison,
} from '../../ledger/compare.ts'
import { calledAt, type ClockOffset } from '../../ledger/gateway-time.ts'
import type { PayoutRow, WithdrawalRow } from '../../store/types.ts'

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Two clocks may differ by this much; the rules that match payouts allow it too (`payouts/match-payout.ts`). */
const LEEWAY_MS = 300_000

const NOTHING = { amount_over: null, seconds_before: null } as const

/** The amount asked for, or that of the gateway's reply if the payout has that. */
function amountOf(payout: PayoutRow, row: WithdrawalRow): ComparedField {
  const stated = { amount: payout.amount, ...(payout.inexact === 1 && { inexact: true as const }) }
  const { reply_amount } = row
  const replied = reply_amount !== null && compareAmounts({ amount: reply_amount }, stated) === 'agree'
  const asked: Decimal = replied ? reply_amount : row.amount
  const is = compareAmounts({ amount: asked }, stated)
  const over = is === 'differ' && payout.amount !== null ? subtract(payout.amount, asked) : null
  return { field: 'amount', is, payout: payout.amount, withdrawal: asked, ...NOTHING, amount_over: over }
}

/** A payout that the gateway made before our call cannot be its result. Its time counts by the gateway's clock. */
function timeOf(payout: PayoutRow, row: WithdrawalRow, offset: ClockOffset): ComparedField {
  const { inserted_ms, first_seen_ms } = payout
  const called = inserted_ms === null ? row.called_ms : calledAt(row, offset)
  const made = inserted_ms ?? first_seen_ms
  const before = called === null ? 0 : called - made
  const is: Comparison = called === null ? 'unknown' : before > LEEWAY_MS ? 'differ' : 'agree'
  const seconds = Math.round(before / 1000)
  return {
    field: 'time',
    is,
    payout: iso(made),
    withdrawal: iso(row.called_ms),
    ...NOTHING,
    seconds_before: seconds > 0 ? seconds : null,
  }
}

/** Every field that both have, in a fixed order. @param offset the gateway's clock minus ours; null if unknown */
export function comparePayout(payout: PayoutRow, row: WithdrawalRow, offset: ClockOffset): readonly ComparedField[] {
  const field = (
    name: ComparedField['field'],
    is: Comparison,
    ofPayout: string | null,
    ofWithdrawal: string,
  ): ComparedField => ({ field: name, is, payout: ofPayout, withdrawal: ofWithdrawal, ...NOTHING })
  const named = ({ currency_code, network }: PayoutRow | WithdrawalRow): string => `${currency_code} · ${network}`
  return [
    field(
      'user',
      compareTexts(payout.user_reference_id, row.user_reference_id),
      payout.user_reference_id,
      row.user_reference_id,
    ),
    field('currency', compareCurrencies(payout, row), named(payout), named(row)),
    field(
      'address',
      compareAddresses(row.network, payout.to_address, row.wallet_address),
      payout.to_address,
      row.wallet_address,
    ),
    amountOf(payout, row),
    timeOf(payout, row, offset),
  ]
}

/** How many fields differ: the fewer, the likelier. */
export const differencesIn = (compared: readonly ComparedField[]): number =>
  compared.filter(({ is }) => is === 'differ').length
