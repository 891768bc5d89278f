/** A user's entries with the balance after each, newest first. */
import * as z from 'zod/mini'
import type { StatementEntry, StatementPage } from '#lib/contract/operate/users.ts'
import { canonical, isDecimal, subtract, ZERO, type Decimal } from '#lib/contract/money.ts'
import { Problem } from '#lib/contract/problems.ts'
import { aboutEntry } from '../../ledger/about-entry.ts'
import { entriesOf } from '../../ledger/accounts.ts'
import type { Store } from '../../store/types.ts'

/** Postings of a page; each has one or two entries of the user's own accounts. */
const PAGE = 40

const decimalText = z.custom<Decimal>((value) => typeof value === 'string' && isDecimal(value))

/** Where the next page begins: the last posting of this one, and the balances before it. */
const cursorSchema = z.object({
  before: z.number().check(z.int(), z.positive()),
  balances: z.array(z.tuple([z.string(), z.enum(['available', 'held']), decimalText])),
})

const ACCOUNTS = ['held', 'available'] as const
type OwnAccount = (typeof ACCOUNTS)[number]

/** Balances by currency and account, from the newest entry back. */
class BalancesBefore {
  readonly #balances = new Map<string, { readonly currency: string; readonly account: OwnAccount; amount: Decimal }>()

  set(currency: string, account: OwnAccount, amount: Decimal): void {
    this.#balances.set(`${account} ${currency}`, { currency, account, amount })
  }

  /** The balance after an entry; from then on it is the balance before it. */
  goBack(currency: string, account: OwnAccount, entry: Decimal): Decimal {
    const after = this.#balances.get(`${account} ${currency}`)?.amount ?? ZERO
    this.set(currency, account, canonical(subtract(after, entry)))
    return after
  }

  get all(): z.output<typeof cursorSchema>['balances'] {
    return [...this.#balances.values()].map(({ currency, account, amount }) => [currency, account, amount])
  }
}

function readCursor(text: string): z.output<typeof cursorSchema> {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch {
    throw new Problem('invalid_request', 'Not valid: after.', { errors: { after: ['must be of an earlier page'] } })
  }
}

/** @throws Problem `invalid_request` for an `after` of no page */
export const createUserStatement =
  (store: Pick<Store, 'ledger' | 'currencies' | 'withdrawals'>) =>
  async (user: string, after: string | null): Promise<StatementPage> => {
    const cursor = after === null ? null : readCursor(after)
    const [{ postings, balances }, currencies] = await Promise.all([
      store.ledger.postingsWithBalances(user, cursor?.before ?? null, PAGE + 1),
      store.currencies.all(),
    ])
    const running = new BalancesBefore()
    // The balances of a further page are those of the moment of the first.
    for (const row of cursor === null ? balances : [])
      for (const account of ACCOUNTS) running.set(row.currency_id, account, row[account])
    for (const [currency, account, amount] of cursor?.balances ?? []) running.set(currency, account, amount)
    const names = new Map(currencies.map((currency) => [currency.id, currency]))
    const shown = postings.slice(0, PAGE)
    const withdrawals = await store.withdrawals.byIds(
      [...new Set(shown.flatMap((row) => aboutEntry(row).withdrawal_id ?? []))].map((id) => [user, id]),
    )
    const payoutOf = new Map(withdrawals.map(({ id, transaction_uuid }) => [id, transaction_uuid]))
    const entries = shown.flatMap((row): readonly StatementEntry[] => {
      const { reason, transaction_uuid, withdrawal_id = null, reference = null } = aboutEntry(row)
      const { currency_id } = row
      const own = entriesOf(row)
      return ACCOUNTS.flatMap((account) =>
        own
          .filter((entry) => entry.account === account)
          .map(({ amount }) => ({
            id: `${String(row.id)}-${account}`,
            at: new Date(row.created_ms).toISOString(),
            ...{ currency_id, account, reason, withdrawal_id, reference },
            currency_code: names.get(currency_id)?.currency_code ?? '',
            network: names.get(currency_id)?.network ?? '',
            amount: canonical(amount),
            balance: canonical(running.goBack(currency_id, account, amount)),
            transaction_uuid: transaction_uuid ?? payoutOf.get(withdrawal_id ?? '') ?? null,
          })),
      )
    })
    const last = shown.at(-1)
    const next = { before: last?.id ?? 1, balances: running.all }
    return {
      entries,
      next: postings.length > PAGE ? Buffer.from(JSON.stringify(next)).toString('base64url') : null,
    }
  }
