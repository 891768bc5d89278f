/** The filters of each list, as fields of its page. */
import { WITHDRAWAL_STATUSES } from '#lib/contract/cashier.ts'
import {
  PAYOUT_OWNER_FILTERS,
  PAYOUT_STATUS_NAMES,
  QUARANTINE_REASONS,
  SHOWN_OF_MOVEMENTS,
  SHOWN_OF_PAYOUTS,
  SHOWN_OF_QUARANTINE,
  TRANSACTION_KIND_NAMES,
  TRANSACTION_STATUS_NAMES,
  type ListName,
} from '#lib/contract/operate/lists.ts'
import type { ConsoleKey } from '#lib/i18n/console-catalogue.ts'

export interface Choice {
  readonly value: string
  readonly label: ConsoleKey
}

export type FilterField = { readonly name: string; readonly label: ConsoleKey } & (
  | { readonly kind: 'several'; readonly choices: readonly Choice[] }
  | { readonly kind: 'amount' | 'day' }
  /** `known`: what may be written there. */
  | { readonly kind: 'text'; readonly known?: readonly string[] | undefined }
  | { readonly kind: 'currency' | 'network' }
)

export interface ListFields {
  /** The parts of the list that are one press away; the first is the whole list. */
  readonly parts: readonly Choice[]
  readonly fields: readonly FilterField[]
}

const choicesOf = <const V extends string>(
  values: readonly V[],
  labelOf: (value: V) => ConsoleKey,
): readonly Choice[] => values.map((value) => ({ value, label: labelOf(value) }))

const several = (name: string, label: ConsoleKey, choices: readonly Choice[]): FilterField => ({
  name,
  label,
  kind: 'several',
  choices,
})

const ALL: Choice = { value: '', label: 'show.all' }
const MOVEMENTS: readonly Choice[] = [ALL, ...choicesOf(SHOWN_OF_MOVEMENTS, (value) => `show.${value}`)]

const USER: FilterField = { name: 'user', label: 'filter.user', kind: 'text' }
const MONEY: readonly FilterField[] = [
  { name: 'currency', label: 'filter.currency', kind: 'currency' },
  { name: 'network', label: 'filter.network', kind: 'network' },
  { name: 'amount_from', label: 'filter.amountFrom', kind: 'amount' },
  { name: 'amount_to', label: 'filter.amountTo', kind: 'amount' },
]
const DAYS: readonly FilterField[] = [
  { name: 'from', label: 'filter.from', kind: 'day' },
  { name: 'to', label: 'filter.to', kind: 'day' },
]

export const LIST_FIELDS: Readonly<Record<ListName, ListFields>> = {
  transactions: {
    parts: MOVEMENTS,
    fields: [
      several(
        'kind',
        'filter.kind',
        choicesOf(TRANSACTION_KIND_NAMES, (value) => `kind.${value}`),
      ),
      several(
        'status',
        'filter.status',
        choicesOf(TRANSACTION_STATUS_NAMES, (value) => `status.${value}`),
      ),
      USER,
      ...MONEY,
      ...DAYS,
    ],
  },
  withdrawals: {
    parts: MOVEMENTS,
    fields: [
      several(
        'status',
        'filter.status',
        choicesOf(WITHDRAWAL_STATUSES, (value) => `status.${value}`),
      ),
      USER,
      ...MONEY,
      ...DAYS,
    ],
  },
  payouts: {
    parts: [ALL, ...choicesOf(SHOWN_OF_PAYOUTS, (value) => `show.${value}`)],
    fields: [
      several(
        'owner',
        'filter.owner',
        choicesOf(PAYOUT_OWNER_FILTERS, (value) => `owner.${value}`),
      ),
      several(
        'status',
        'filter.status',
        choicesOf(PAYOUT_STATUS_NAMES, (value) => `status.${value}`),
      ),
      USER,
      ...MONEY,
      ...DAYS,
    ],
  },
  quarantine: {
    // The whole list is not the usual part.
    parts: choicesOf(SHOWN_OF_QUARANTINE, (value) => `show.${value}`).map((choice) =>
      choice.value === 'open' ? { ...choice, value: '' } : choice,
    ),
    fields: [
      several(
        'reason',
        'filter.reason',
        choicesOf(QUARANTINE_REASONS, (value) => `reason.${value}`),
      ),
      USER,
      ...DAYS,
    ],
  },
}
