import type { CheckContext } from './check-context.ts'
import type { Check } from './check.ts'
import { SPANS, deposit, history, listOf, mixedHistory, uuidsOf } from './test-history.ts'
import { transactionList, validationError } from './shapes.ts'
import type { TransactionList } from './shapes.ts'
import { assertThat, assertSame, parseAs, assertStatus } from './assertions.ts'

const PATH = '/v1/user/transactions'

function refusal(name: string, field: string, request: Readonly<Record<string, unknown>>): Check {
  return {
    name,
    async run({ call }) {
      const answer = await call('POST', PATH, request)
      assertStatus(answer, 422)
      const { errors } = parseAs(validationError, answer.json, 'the refusal')
      assertThat(field in errors, `errors do not name ${field}: ${Object.keys(errors).join(', ')}`)
    },
  }
}

/** Follows a list to its end. Fails if the list does not end. */
async function walk(
  bench: CheckContext,
  next: (page: TransactionList | null) => Readonly<Record<string, unknown>> | null,
): Promise<readonly TransactionList[]> {
  const pages: TransactionList[] = []
  for (let request = next(null); request !== null; request = next(pages.at(-1) ?? null)) {
    assertThat(pages.length < 50, 'the list does not end')
    pages.push(await listOf(bench, request))
  }
  return pages
}

const isSorted = ({ edges }: TransactionList): boolean =>
  edges.every(
    ({ inserted_at }, at) => at === 0 || Date.parse(edges[at - 1]?.inserted_at ?? '') >= Date.parse(inserted_at),
  )

const cursorsAreOfEdges = ({ edges, page_info }: TransactionList): boolean =>
  page_info.start_cursor === edges[0]?.cursor && page_info.end_cursor === edges.at(-1)?.cursor

const timeRangeChecks = Object.entries(SPANS).map(([range, isIn]): Check => ({
  name: `time_range ${range} lists and counts the transactions of that time`,
  needsControl: true,
  async run(bench) {
    const { user, deposits } = await history(bench)
    const now = Date.now()
    const list = await listOf(bench, { user_reference_id: user, time_range: range, first: 100 })
    const expected = deposits.filter(({ at }) => isIn(at, now)).map(({ uuid }) => uuid)
    assertSame(uuidsOf(list), expected, 'transactions')
    assertSame(list.total_count, expected.length, 'total_count')
  },
}))

/** Spec, POST /v1/user/transactions and POST /v1/merchant/transactions. */
export const transactionChecks: readonly Check[] = [
  refusal('a list without user_reference_id is 422 and names it', 'user_reference_id', {}),
  refusal('a user_reference_id with a space is 422 and names it', 'user_reference_id', { user_reference_id: 'a b' }),
  refusal('a user_reference_id with a slash is 422 and names it', 'user_reference_id', { user_reference_id: 'a/b' }),
  refusal('a user_reference_id with a letter outside ASCII is 422 and names it', 'user_reference_id', {
    user_reference_id: 'zürich',
  }),
  refusal('an unknown time_range is 422 and names it', 'time_range', {
    user_reference_id: 'a',
    time_range: 'last_year',
  }),
  refusal('first as a text is 422 and names it', 'first', { user_reference_id: 'a', first: 'ten' }),
  {
    name: 'letters, digits, hyphens and underscores are allowed in user_reference_id',
    async run(bench) {
      await listOf(bench, { user_reference_id: 'Az09-_' })
    },
  },
  {
    name: 'a new user has an empty list',
    async run(bench) {
      const list = await listOf(bench, { user_reference_id: bench.user() })
      assertSame(list.edges, [], 'edges')
      assertSame(list.total_count, 0, 'total_count')
      assertSame([list.page_info.has_next_page, list.page_info.has_previous_page], [false, false], 'further pages')
    },
  },
  {
    name: 'transactions are listed newest first, with all their fields',
    needsControl: true,
    async run(bench) {
      const { user, all } = await mixedHistory(bench)
      const list = await listOf(bench, { user_reference_id: user, first: 100 })
      assertSame(uuidsOf(list), all, 'order')
      assertThat(isSorted(list), 'inserted_at is not in descending order')
      assertThat(
        list.edges.every(({ inserted_at, node }) => Date.parse(inserted_at) === Date.parse(node.inserted_at)),
        'inserted_at of edge and node differ',
      )
      assertThat(
        list.edges.every(({ node }) => node.user_ref_id === user),
        'user_ref_id of another user',
      )
      assertSame(list.total_count, all.length, 'total_count')
    },
  },
  {
    name: 'first limits the page, announces the next one and does not change total_count',
    needsControl: true,
    async run(bench) {
      const { user, all } = await mixedHistory(bench)
      const list = await listOf(bench, { user_reference_id: user, first: 4 })
      assertSame(uuidsOf(list), all.slice(0, 4), 'page')
      assertSame(list.page_info.has_next_page, true, 'has_next_page')
      assertSame(list.page_info.has_previous_page, false, 'has_previous_page')
      assertSame(list.total_count, all.length, 'total_count')
      assertThat(cursorsAreOfEdges(list), 'start_cursor and end_cursor differ from the edges')
    },
  },
  {
    name: 'first with after visits every transaction once',
    needsControl: true,
    async run(bench) {
      const { user, all } = await mixedHistory(bench)
      const pages = await walk(bench, (page) => {
        if (page === null) return { user_reference_id: user, first: 4 }
        return page.page_info.has_next_page
          ? { user_reference_id: user, first: 4, after: page.page_info.end_cursor }
          : null
      })
      assertSame(pages.flatMap(uuidsOf), all, 'all pages')
      assertSame(
        pages.map(({ page_info }) => page_info.has_previous_page),
        pages.map((_item, at) => at > 0),
        'has_previous_page',
      )
    },
  },
  {
    name: 'last gives the last transactions of the list, newest first',
    needsControl: true,
    async run(bench) {
      const { user, all } = await mixedHistory(bench)
      const list = await listOf(bench, { user_reference_id: user, last: 4 })
      assertSame(uuidsOf(list), all.slice(-4), 'page')
      assertSame([list.page_info.has_next_page, list.page_info.has_previous_page], [false, true], 'further pages')
    },
  },
  {
    name: 'last with before visits every transaction once',
    needsControl: true,
    async run(bench) {
      const { user, all } = await mixedHistory(bench)
      const pages = await walk(bench, (page) => {
        if (page === null) return { user_reference_id: user, last: 4 }
        return page.page_info.has_previous_page
          ? { user_reference_id: user, last: 4, before: page.page_info.start_cursor }
          : null
      })
      assertSame(pages.toReversed().flatMap(uuidsOf), all, 'all pages')
      assertSame(
        pages.map(({ page_info }) => page_info.has_next_page),
        pages.map((_item, at) => at > 0),
        'has_next_page',
      )
    },
  },
  {
    name: 'transaction_types lists and counts only that type',
    needsControl: true,
    async run(bench) {
      const { user, all, deposits } = await mixedHistory(bench)
      const list = await listOf(bench, { user_reference_id: user, transaction_types: ['Deposit'], first: 100 })
      assertSame(uuidsOf(list), deposits, 'deposits')
      assertSame(list.total_count, deposits.length, 'total_count')
      const both = await listOf(bench, {
        user_reference_id: user,
        transaction_types: ['Deposit', 'Payout'],
        first: 100,
      })
      assertSame(uuidsOf(both), all, 'both types')
    },
  },
  ...timeRangeChecks,
  {
    name: 'an amount keeps every fractional digit',
    needsControl: true,
    async run(bench) {
      const amounts = ['0.000000000000000001', '123456789012345678.123456789012345678']
      const user = bench.user()
      for (const amount of amounts) await deposit(bench, user, amount)
      const list = await listOf(bench, { user_reference_id: user })
      assertSame(
        list.edges.map(({ node }) => node.amount),
        amounts.toReversed(),
        'amounts',
      )
    },
  },
  {
    name: 'a deposit is TXN_NEW until it is confirmed, then TXN_PROVIDER_SUCCEEDED with its completion',
    needsControl: true,
    async run(bench) {
      const user = bench.user()
      const uuid = await deposit(bench, user, '5', false)
      const node = async () => (await listOf(bench, { user_reference_id: user })).edges[0]?.node
      const before = await node()
      assertSame(
        [before?.type, before?.status, before?.completed_at],
        ['Deposit', 'TXN_NEW', null],
        'type, status, completed_at',
      )
      await bench.control.call('POST', `/deposits/${uuid}/confirm`)
      const after = await node()
      assertSame(after?.status, 'TXN_PROVIDER_SUCCEEDED', 'status')
      assertThat(
        typeof after?.completed_at === 'string' && typeof after.amount_usd === 'string',
        'completed_at or amount_usd is missing',
      )
    },
  },
  {
    name: "the merchant's list has the transactions of several users",
    needsControl: true,
    async run(bench) {
      const [one, two] = [bench.user(), bench.user()]
      const made = [await deposit(bench, one, '1'), await deposit(bench, two, '1')]
      const answer = await bench.call('POST', '/v1/merchant/transactions', { first: 2 })
      assertStatus(answer, 200)
      assertSame(uuidsOf(parseAs(transactionList, answer.json, 'the list')), made.toReversed(), 'newest transactions')
    },
  },
  {
    name: "the merchant's list continues after its end cursor",
    needsControl: true,
    async run(bench) {
      const made = [await deposit(bench, bench.user(), '1'), await deposit(bench, bench.user(), '1')]
      const pageAfter = async (cursor: string | undefined): Promise<TransactionList> => {
        const answer = await bench.call('POST', '/v1/merchant/transactions', { first: 1, after: cursor })
        assertStatus(answer, 200)
        return parseAs(transactionList, answer.json, 'the list')
      }
      const newest = await pageAfter(undefined)
      assertSame(newest.page_info.has_next_page, true, 'has_next_page')
      const next = await pageAfter(newest.page_info.end_cursor)
      assertSame([...uuidsOf(newest), ...uuidsOf(next)], made.toReversed(), 'two pages')
    },
  },
]
