/** The rules of `WITHDRAWAL_RULES`: which withdrawals wait for a person, or for a time, before they are sent. */
import { isSameNetwork, settingOnNetwork } from '#lib/addresses/index.ts'
import { WITHDRAWAL_RULE_NAMES, type Currency, type WithdrawalRuleName } from '#lib/contract/cashier.ts'
import { compare, type Decimal } from '#lib/contract/money.ts'

/** The rules of one currency. */
export interface WithdrawalRules {
  /** A person decides about more than this. */
  readonly review_above?: Decimal
  /** A person decides about an address to which no withdrawal of the user has succeeded. */
  readonly review_new_address?: true
  /** A person decides about each further withdrawal of the user, in whatever currency, within these hours. */
  readonly review_more_than?: { readonly count: number; readonly hours: number }
  /** A withdrawal to such an address waits for so many seconds. */
  readonly wait_for_new_address_s?: number
}

/** By currency code, `code@network` or `*`, in lower case. */
export type RulesByCurrency = ReadonlyMap<string, WithdrawalRules>

/** The rules of the most specific name alone; null if there are none. */
export const rulesOf = (
  rules: RulesByCurrency,
  currency: Pick<Currency, 'currency_code' | 'network'>,
): WithdrawalRules | null =>
  settingOnNetwork(rules, currency, isSameNetwork) ??
  rules.get(currency.currency_code.toLowerCase()) ??
  rules.get('*') ??
  null

/** A withdrawal as the rules see it. */
export interface JudgedWithdrawal {
  readonly amount: Decimal
  readonly isNewAddress: boolean
  /** The user's withdrawals within the hours of `review_more_than`, with this one, without failed ones. */
  readonly count: number
}

const CATCHES: Readonly<Record<WithdrawalRuleName, (rules: WithdrawalRules, withdrawal: JudgedWithdrawal) => boolean>> =
  {
    review_above: ({ review_above }, { amount }) => review_above !== undefined && compare(amount, review_above) > 0,
    review_new_address: ({ review_new_address }, { isNewAddress }) => review_new_address === true && isNewAddress,
    review_more_than: ({ review_more_than }, { count }) =>
      review_more_than !== undefined && count > review_more_than.count,
    wait_for_new_address: ({ wait_for_new_address_s }, { isNewAddress }) =>
      wait_for_new_address_s !== undefined && isNewAddress,
  }

/** The names of the rules that catch the withdrawal, in a fixed order. */
export const caughtBy = (rules: WithdrawalRules, withdrawal: JudgedWithdrawal): readonly WithdrawalRuleName[] =>
  WITHDRAWAL_RULE_NAMES.filter((name) => CATCHES[name](rules, withdrawal))

/** Whether a person decides about what these rules have caught; otherwise it only waits. */
export const needsPerson = (caught: readonly WithdrawalRuleName[]): boolean =>
  caught.some((name) => name !== 'wait_for_new_address')
