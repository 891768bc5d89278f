import type { Store, Tx } from '../store.ts'
import { ERASURE_ACTION, type NewAuditEntry } from '../tables/audit-chain.ts'
import type { UserReferences } from '../tables/erasure-rules.ts'
import type { OpenItem } from '../tables/open-items.ts'
import { readObject } from '../tables/redact-json.ts'

const PAGE = 500
/** The largest difference between the clocks of machines that store webhooks. */
const CLOCKS_APART_MS = 60_000

export interface Erased {
  /** The user's name in the ledger from now on. */
  readonly pseudonym: string
  /** How many signed webhooks waited in quarantine and can no longer be applied. */
  readonly quarantined: number
  /** Money that stays in the ledger under the pseudonym. */
  readonly balances: readonly { readonly currency_id: string; readonly available: string }[]
}

export type Erasure =
  | { readonly outcome: 'erased'; readonly erased: Erased }
  | { readonly outcome: 'open'; readonly open: readonly OpenItem[] }
  | { readonly outcome: 'unknown' }

const names = (set: ReadonlySet<string>, value: unknown): boolean => typeof value === 'string' && set.has(value)

const isAbout = (user: string, { uuids, withdrawals }: UserReferences, content: Record<string, unknown>): boolean =>
  content['user_reference'] === user ||
  content['user_reference_id'] === user ||
  names(uuids, content['transaction_uuid']) ||
  names(withdrawals, content['withdrawal_id'])

/** Reads every raw webhook. There may be many, so this runs before the transaction, for which others wait. */
async function findWebhooks(store: Store, user: string, references: UserReferences): Promise<number[]> {
  const found: number[] = []
  for (let after = 0; ;) {
    const page = await store.erasure.webhooksAfter(after, PAGE)
    found.push(...page.filter(({ body }) => isAbout(user, references, readObject(body))).map(({ id }) => id))
    const last = page.at(-1)
    if (last === undefined) return found
    after = last.id
  }
}

/** The user whom an event of the feed names; null: none. */
const userIn = (content: Record<string, unknown>): string | null =>
  typeof content['user_reference_id'] === 'string' ? content['user_reference_id'] : null

/**
 * Reads the merchant's feed after `cursor`. Returns the events about the user, and the last cursor. One that names another
 * user stays theirs, whatever transaction it names.
 */
async function findEvents(
  reader: Pick<Tx, 'events' | 'users'>,
  user: string,
  references: UserReferences,
  cursor: number,
): Promise<{ readonly found: number[]; readonly cursor: number }> {
  const found: number[] = []
  for (let after = cursor; ;) {
    const page = await reader.events.feedAfter(after, PAGE)
    const about = page
      .map(({ cursor, data }) => ({ cursor, content: readObject(data) }))
      .filter(({ content }) => isAbout(user, references, content))
    const names = about.flatMap(({ content }) => userIn(content) ?? [])
    const others = await reader.users.knownAmong([...new Set(names.filter((name) => name !== user))])
    found.push(...about.filter(({ content }) => !others.has(userIn(content) ?? '')).map((event) => event.cursor))
    const last = page.at(-1)
    if (last === undefined) return { found, cursor: after }
    after = last.cursor
  }
}

/** After a restore the books may lack payouts and deposits of this user: only the user's list shows them. */
const uncompared = async (tx: Tx, user: string): Promise<readonly OpenItem[]> => {
  const unit = await tx.load({ users: [user] })
  if (unit.sinceRestore(user) !== 'unchecked') return []
  return [{ what: 'list', id: user, status: 'not compared with the books since a restore' }]
}

/**
 * Erases a user's personal data and keeps the ledger consistent (docs/explanation/security.md): money, transactions and
 * withdrawals stay under `pseudonym`, everything else is deleted. `open`: something has not ended, or waits for a
 * person, and nothing was changed.
 * @param operator who erases; null: a command on the machine
 */
export async function eraseUser(
  store: Store,
  user: string,
  pseudonym: string,
  clock: () => number,
  operator: NewAuditEntry['operator'] = null,
): Promise<Erasure> {
  const begun = clock()
  await store.erasure.overwriteDeleted()
  const before = await store.erasure.references(user)
  const webhooks = await findWebhooks(store, user, before)
  const events = await findEvents(store, user, before, 0)

  return store.transaction(async (tx): Promise<Erasure> => {
    // A message that names one of the user's transactions holds the lock too, whoever it is about.
    await tx.users.lock([user])
    const references = await tx.erasure.references(user)
    if (!(await tx.erasure.hasData(user)) && webhooks.length === 0) return { outcome: 'unknown' }
    const open = [...(await tx.erasure.open(user, tx.now)), ...(await uncompared(tx, user))]
    if (open.length > 0) return { outcome: 'open', open }

    const late = await tx.erasure.webhooksSince(begun - CLOCKS_APART_MS)
    const lateOnes = late.filter(({ body }) => isAbout(user, references, readObject(body))).map(({ id }) => id)
    // All events of the user are committed, since the user is locked. Not in this transaction, which may take long.
    await store.events.number()
    const lateEvents = await findEvents(tx, user, references, events.cursor)
    await tx.erasure.deleteWebhooks([...webhooks, ...lateOnes])
    const cursors = [...events.found, ...lateEvents.found]
    await tx.erasure.redactMerchantEvents(cursors, pseudonym)
    await tx.erasure.deleteDeliveryAttempts(cursors)

    const balances = await tx.ledger.balances(user)
    const { quarantined } = await tx.erasure.deletePersonalRows(user, references.uuids)
    await tx.erasure.redactTransactions(references.uuids, user, pseudonym)
    await tx.erasure.redactWithdrawals(user, pseudonym)
    await tx.erasure.redactPayouts(user, pseudonym)
    await tx.erasure.pseudonymizeLedger(user, pseudonym)
    await tx.erasure.renameRows(references, user, pseudonym)
    const entries = await tx.erasure.auditEntries(user, references)
    await tx.erasure.blankAuditEntries(entries)
    await tx.audit.append(
      {
        operator,
        action: ERASURE_ACTION,
        about: { kind: 'user', id: pseudonym },
        detail: { entries: entries.map(({ seq }) => seq) },
      },
      tx.now,
    )
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
