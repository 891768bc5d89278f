import { SEARCH_KINDS, type SearchHit, type SearchQuery, type SearchReply } from '#lib/contract/operate/search.ts'
import type { SearchText, Store } from '../../store/types.ts'
import {
  addressHit,
  adjustmentHit,
  deliveryHit,
  payoutHit,
  purchaseHit,
  quarantineHit,
  sessionHit,
  transactionHit,
  userHit,
  withdrawalHit,
  type HowFound,
} from './search-hits.ts'
import { searchTexts, type SearchTexts } from './search-texts.ts'

/** Hits of one kind that an answer has; one more is read, to say that there are more. */
const MOST = 10
const LIMIT = MOST + 1

export interface SearchOptions {
  /** Names numbers of the merchant's feed. */
  readonly nameEvents: () => Promise<(number: number) => string>
  readonly store: Pick<Store, 'quarantine' | 'requestEffects' | 'search' | 'sessions' | 'withdrawals'>
}

type Finder = (
  texts: SearchTexts,
  store: SearchOptions['store'],
  nameEvents: SearchOptions['nameEvents'],
) => Promise<readonly SearchHit[]>

const foundBy = (by: HowFound['by'], { isPrefix }: SearchText): HowFound => ({ by, exact: !isPrefix })

/** Each text after the other: a search takes one connection of those that the cashier's users need. */
async function each(
  texts: readonly SearchText[],
  find: (text: SearchText) => Promise<readonly SearchHit[]>,
): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = []
  for (const text of texts) hits.push(...(await find(text)))
  return hits
}

const users: Finder = ({ ids }, { search }) =>
  each(ids, async (text) => (await search.users(text, LIMIT)).map((row) => userHit(row, foundBy('id', text))))

/** Transactions, payouts, purchases, and withdrawals by their transaction. */
const named: Finder = ({ ids }, { search }) =>
  each(ids, async (text) => {
    const rows = await search.rowsNamed(await search.names(text, LIMIT))
    return [
      ...rows.transactions.map((row) => transactionHit(row, foundBy('id', text))),
      ...rows.withdrawals.map((row) => withdrawalHit(row, foundBy('transaction', text))),
      ...rows.payouts.map((row) => payoutHit(row, foundBy('id', text))),
      ...rows.purchases.map((row) => purchaseHit(row, foundBy('reference', text))),
    ]
  })

const purchases: Finder = ({ ids }, { search }) =>
  each(
    ids.filter(({ isPrefix }) => !isPrefix),
    async (text) =>
      (await search.purchasesByReference(text.text, LIMIT)).map((row) =>
        transactionHit(row, foundBy('reference', text)),
      ),
  )

const withdrawals: Finder = ({ ids }, { search, withdrawals: stored }) =>
  each(ids, async (text) =>
    (await stored.byIds(await search.withdrawalIds(text, LIMIT))).map((row) => withdrawalHit(row, foundBy('id', text))),
  )

const sessions: Finder = ({ ids }, { search }) =>
  each(ids, async (text) => (await search.sessions(text, LIMIT)).map((row) => sessionHit(row, foundBy('id', text))))

const hashes: Finder = ({ hashes: texts }, { search }) =>
  each(texts, async (text) =>
    (await search.transactionsByHash(text, LIMIT)).map((row) => transactionHit(row, foundBy('hash', text))),
  )

const addresses: Finder = ({ addresses: texts }, store) =>
  each(texts, async (text) => {
    const found = foundBy('address', text)
    const sent = await store.withdrawals.byIds(await store.search.withdrawalsTo(text, LIMIT))
    const paid = await store.search.payoutsTo(text, LIMIT)
    return [
      ...(await store.search.depositAddresses(text, LIMIT)).map((row) => addressHit(row, found)),
      ...sent.map((row) => withdrawalHit(row, found)),
      ...paid.map((row) => payoutHit(row, found)),
    ]
  })

/** What a request has made. */
const requests: Finder = ({ ids }, store) =>
  each(
    ids.filter(({ isPrefix }) => !isPrefix),
    async (text) => {
      const found = foundBy('request', text)
      const effects = await store.requestEffects.of(text.text)
      const of = (kind: (typeof effects)[number]['kind']) => effects.filter((effect) => effect.kind === kind)
      const made = await store.withdrawals.byIds(
        of('withdrawal').map(({ user_reference_id, name }) => [user_reference_id, name]),
      )
      const opened = await store.sessions.findSessions(of('session').map(({ name }) => name))
      return [
        ...made.map((row) => withdrawalHit(row, found)),
        ...opened.map(({ session, ended_ms }) => sessionHit({ ...session, ended_ms }, found)),
        ...of('adjustment').map((effect) => adjustmentHit(effect, found)),
      ]
    },
  )

const lines: Finder = async ({ number }, store) => {
  const line = number === null ? null : await store.quarantine.find(number)
  return line === null ? [] : [quarantineHit(line, { by: 'number', exact: true })]
}

/** By their cursor, the number in it, or the `webhook-id` under which they were sent. */
const deliveries: Finder = async ({ cursor, ids }, { search }, nameEvents) => {
  const [whole] = ids
  const sent = whole === undefined ? [] : await search.cursorsSentAs(whole.text, LIMIT)
  const nameOf = await nameEvents()
  const hits: SearchHit[] = []
  for (const one of [...(cursor === null ? [] : [cursor]), ...sent]) {
    const event = await search.delivery(one)
    if (event !== null) hits.push(deliveryHit(event, nameOf(one), { by: 'number', exact: true }))
  }
  return hits
}

const quarantined: Finder = ({ ids }, store) =>
  each(
    ids.filter(({ isPrefix }) => !isPrefix),
    async (text) => {
      const lines = await Promise.all(
        (await store.search.quarantineAbout(text.text, LIMIT)).map((id) => store.quarantine.find(id)),
      )
      return lines.flatMap((line) => (line === null ? [] : [quarantineHit(line, foundBy('transaction', text))]))
    },
  )

const FINDERS = [
  users,
  named,
  purchases,
  withdrawals,
  sessions,
  hashes,
  addresses,
  requests,
  lines,
  deliveries,
  quarantined,
]

/** The first hit of each thing: whole texts are looked for before beginnings. */
function unique(hits: readonly SearchHit[]): readonly SearchHit[] {
  const known = new Map<string, SearchHit>()
  for (const hit of hits) {
    const key = `${hit.kind} ${hit.page} ${hit.id}`
    const before = known.get(key)
    if (before === undefined || (hit.exact && !before.exact)) known.set(key, hit)
  }
  return [...known.values()]
}

/** Pages that tell of a transaction also tell of its payout and of the withdrawal that it pays. */
const TOLD_BY_TRANSACTION: ReadonlySet<SearchHit['by']> = new Set(['transaction', 'id'])

/** The page to show at once, if all that has this very text is told there. */
function pageToShow(hits: readonly SearchHit[]): string | null {
  const exact = hits.filter((hit) => hit.exact)
  const transaction = exact.find(({ kind, by }) => kind === 'transaction' && by === 'id')
  const others = exact.filter(
    ({ kind, by }) =>
      transaction === undefined ||
      kind === 'transaction' ||
      !((kind === 'payout' || kind === 'withdrawal' || kind === 'quarantine') && TOLD_BY_TRANSACTION.has(by)),
  )
  const pages = new Set(others.map(({ page }) => page))
  return pages.size === 1 ? ([...pages][0] ?? null) : null
}

/** Newest first; what has the very text before what begins with it. */
const inOrder = (one: SearchHit, other: SearchHit): number =>
  Number(other.exact) - Number(one.exact) || (other.at ?? '').localeCompare(one.at ?? '')

/** Finds whatever has this text as its id, hash, address or reference, or begins with it. */
export function createSearch({ store, nameEvents }: SearchOptions): (query: SearchQuery) => Promise<SearchReply> {
  return async ({ q }) => {
    const texts = searchTexts(q)
    const found: SearchHit[] = []
    for (const find of FINDERS) found.push(...(await find(texts, store, nameEvents)))
    const hits = unique(found)
    const groups = SEARCH_KINDS.flatMap((kind) => {
      const own = hits.filter((hit) => hit.kind === kind).sort(inOrder)
      return own.length === 0 ? [] : [{ kind, hits: own.slice(0, MOST), more: own.length > MOST }]
    })
    return { q, groups, go: pageToShow(hits) }
  }
}
