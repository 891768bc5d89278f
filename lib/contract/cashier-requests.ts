/**
 * The request bodies and queries of the cashier page and its launch, one schema for each call
 * (docs/explanation/page-api.md). Route files parse with them; use cases and the page take their types from them. The
 * use case checks what depends on a currency or on stored data.
 */
import * as z from 'zod/mini'
import { MOST_NAME_CHARACTERS, THEMES, TIME_RANGES } from './cashier.ts'
import { amountFault, decimal, isPositive, type AmountFault } from './money.ts'
import { plainTextField } from './plain-text.ts'
import { countField, decimalField, gatewayIdField, languageTag, patternField, textField } from './request-fields.ts'

/** `POST /api/cashier/deposit-addresses`. */
export const depositAddressRequest = z.object({ currency_id: gatewayIdField })
export type DepositAddressRequest = z.output<typeof depositAddressRequest>

const AMOUNT_RULES: Readonly<Record<AmountFault, string>> = {
  not_a_decimal:
    'must be a plain decimal such as "12.5": digits with an optional point, no sign, no exponent, no leading zero',
  not_positive: 'must be above zero',
  too_many_digits: 'must have at most 60 digits before the point',
  too_many_fractional_digits: 'must have at most 30 digits after the point',
}

const withdrawalAmount = z.pipe(
  z.string({ error: AMOUNT_RULES.not_a_decimal }).check((context) => {
    const fault = amountFault(context.value)
    if (fault !== null) context.issues.push({ code: 'custom', message: AMOUNT_RULES[fault], input: context.value })
  }),
  z.transform(decimal),
)

const walletAddress = patternField(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 visible ASCII characters without spaces')

/** `POST /api/cashier/withdrawals`. The use case checks the address for the currency's network. */
export const withdrawalRequest = z.object({
  currency_id: gatewayIdField,
  amount: withdrawalAmount,
  wallet_address: walletAddress,
})
export type WithdrawalRequest = z.output<typeof withdrawalRequest>
/** As the page sends it. */
export type WithdrawalBody = z.input<typeof withdrawalRequest>

/** The query of `GET /api/cashier/addresses`. */
export const addressesQuery = z.object({ currency_id: gatewayIdField })
export type AddressesQuery = z.output<typeof addressesQuery>

/** `PUT /api/cashier/addresses/{address_id}`. An empty name removes the name. */
export const addressNameRequest = z.object({ name: plainTextField(MOST_NAME_CHARACTERS, 0) })
export type AddressNameRequest = z.output<typeof addressNameRequest>

/** The header of `POST /api/cashier/withdrawals`. */
export const idempotencyKey = z.object({ 'Idempotency-Key': textField(128, 8) })

const isFiatAmount = (given: string): boolean => /^\d{1,18}(\.\d{1,8})?$/.test(given) && isPositive(decimal(given))

/** `POST /api/cashier/onramp-sessions`. `amount` is in `fiat_currency`. */
export const onrampSessionRequest = z.object({
  currency_id: gatewayIdField,
  amount: decimalField(isFiatAmount, 'must be a plain decimal above zero, such as "150.00"'),
  fiat_currency: patternField(/^[A-Z]{3}$/, 'must be an ISO 4217 code: three capital letters such as EUR'),
  country: patternField(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code: two capital letters such as DE'),
  /** The address of the user's own wallet; only in sessions with `own_wallet`. */
  wallet_address: z.optional(z.nullable(walletAddress)),
  /** The theme that the user sees, for the provider's page. If left out, the session's theme. */
  theme: z.optional(z.enum(['light', 'dark'], { error: 'must be light or dark' })),
})
export type OnrampSessionRequest = z.output<typeof onrampSessionRequest>
/** As the page sends it. */
export type OnrampSessionBody = z.input<typeof onrampSessionRequest>

/** A cursor of ours contains two cursors of the gateway, each of at most 2048 characters. */
const cursor = textField(6000, 1)

const historyFilters = {
  time_range: z.exactOptional(z.enum(TIME_RANGES, { error: `must be one of ${TIME_RANGES.join(', ')}` })),
  // The gateway's set of values is open, so only the form is checked.
  transaction_types: z.exactOptional(
    z
      .array(patternField(/^[A-Za-z][A-Za-z_-]{0,39}$/, 'must be a type such as Deposit or Payout'))
      .check(z.maxLength(20, { error: 'must be at most 20 types' })),
  ),
}

/** The query of `GET /api/cashier/history.csv`: the list's filters, and the language of the file. */
export const historyFileQuery = z.object({ ...historyFilters, locale: z.exactOptional(languageTag) })
export type HistoryFileQuery = z.output<typeof historyFileQuery>

/** The query of `GET /api/cashier/transactions`. */
export const transactionsQuery = z
  .object({
    ...historyFilters,
    first: z.exactOptional(countField(1, 100)),
    after: z.exactOptional(cursor),
    last: z.exactOptional(countField(1, 100)),
    before: z.exactOptional(cursor),
  })
  .check(
    z.refine(({ first, last }) => first === undefined || last === undefined, {
      path: ['last'],
      error: 'must not be combined with first',
    }),
  )
export type TransactionsQuery = z.output<typeof transactionsQuery>

/** The token of `GET /launch?token=` and the field `launch_token` of `POST /launch`. */
export const launchToken = patternField(/^[!-~]{1,2048}$/, 'must be a launch token')

/** The other fields of `POST /launch`: locale and theme from the merchant's page. */
export const launchAppearance = z.object({ locale: z.optional(languageTag), theme: z.optional(z.enum(THEMES)) })

/** The browser's IANA time zone, such as `Europe/Berlin`, in the spelling of `Intl`. */
export const launchTimeZone = z.pipe(
  patternField(/^[A-Za-z0-9/_+-]{1,64}$/, 'must be a time zone such as Europe/Berlin'),
  z.transform((name, context) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    } catch {
      context.issues.push({ code: 'custom', message: 'must be a time zone such as Europe/Berlin', input: name })
      return z.NEVER
    }
  }),
)
