import type { Store, Tx } from './store.ts'
import type { Traces } from './erasure.ts'

const PAGE = 500
/** How far the clocks of the machines that write webhooks may be apart. */
const CLOCKS_APART_MS = 60_000

export interface Erased {
  /** What the books know the user by from now on. */
  readonly pseudonym: string
  /** Signed webhooks that were waiting in quarantine and can no longer be applied. */
  readonly quarantined: number
  /** Money that stays in the books under the pseudonym. */
  readonly balances: readonly { readonly currency_id: string; readonly available: string }[]
}

export type Erasure =
  | { readonly outcome: 'erased'; readonly erased: Erased }
  | { readonly outcome: 'open'; readonly withdrawals: readonly { readonly id: string; readonly status: string }[] }
  | { readonly outcome: 'unknown' }

const read = (json: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(json)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

const names = (set: ReadonlySet<string>, value: unknown): boolean => typeof value === 'string' && set.has(value)

const isAbout = (user: string, { uuids, withdrawals }: Traces, content: Record<string, unknown>): boolean =>
  content['user_reference'] === user ||
  content['user_reference_id'] === user ||
  names(uuids, content['transaction_uuid']) ||
  names(withdrawals, content['withdrawal_id'])

/** Reads every raw webhook; so many of them are no matter for a transaction that others wait for. */
async function findWebhooks(store: Store, user: string, traces: Traces): Promise<string[]> {
  const found: string[] = []
  for (let after = ''; ;) {
    const page = await store.erasure.webhooksAfter(after, PAGE)
    found.push(...page.filter(({ body }) => isAbout(user, traces, read(body))).map(({ id }) => id))
    const last = page.at(-1)
    if (last === undefined) return found
    after = last.id
  }
}

/** Goes on through the merchant's feed after `cursor`; gives the events about the user, and how far it came. */
async function findEvents(
  reader: Pick<Tx, 'events'>,
  user: string,
  traces: Traces,
  cursor: number,
): Promise<{ readonly found: number[]; readonly cursor: number }> {
  const found: number[] = []
  for (let after = cursor; ;) {
    const page = await reader.events.feedAfter(after, PAGE)
    found.push(...page.filter(({ data }) => isAbout(user, traces, read(data))).map((event) => event.cursor))
    const last = page.at(-1)
    if (last === undefined) return { found, cursor: after }
    after = last.cursor
  }
}

/**
 * Erases a user's personal data and leaves the books sound (docs/data.md): money, transactions and withdrawals go on
 * under `pseudonym`, everything else goes. `open` where a withdrawal has not come to rest: nothing is changed then.
 */
export async function eraseUser(store: Store, user: string, pseudonym: string, clock: () => number): Promise<Erasure> {
  const begun = clock()
  await store.erasure.overwriteDeleted()
  const before = await store.erasure.traces(user)
  const webhooks = await findWebhooks(store, user, before)
  const events = await findEvents(store, user, before, 0)

  return store.transaction(async (tx): Promise<Erasure> => {
    await tx.users.lock([user])
    const traces = await tx.erasure.traces(user)
    if (!(await tx.erasure.isThere(user)) && webhooks.length === 0) return { outcome: 'unknown' }
    const withdrawals = await tx.erasure.openWithdrawals(user)
    if (withdrawals.length > 0) return { outcome: 'open', withdrawals }

    const late = await tx.erasure.webhooksSince(begun - CLOCKS_APART_MS)
    const lateOnes = late.filter(({ body }) => isAbout(user, traces, read(body))).map(({ id }) => id)
    const lateEvents = await findEvents(tx, user, traces, events.cursor)
    await tx.erasure.dropWebhooks([...webhooks, ...lateOnes])
    await tx.erasure.blankMerchantEvents([...events.found, ...lateEvents.found], pseudonym)

    const balances = await tx.books.balances(user)
    const { quarantined } = await tx.erasure.dropBelongings(user, traces.uuids)
    await tx.erasure.blankTransactions(traces.uuids, user, pseudonym)
    await tx.erasure.blankWithdrawals(user, pseudonym)
    await tx.erasure.renameBooks(user, pseudonym)
    return {
      outcome: 'erased',
      erased: {
        pseudonym,
        quarantined,
        balances: balances.map(({ currency_id, available }) => ({ currency_id, available })),
      },
    }
  })
}
