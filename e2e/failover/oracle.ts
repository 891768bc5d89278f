/**
 * Judges a run: what clients were answered, what the gateway saw and what streams told, against the books. It shares no
 * code with the cashier and has its own arithmetic.
 */

/** An event that the test signed, and sent until it was answered 200. The gateway's list does not have it. */
export interface SentWebhook {
  readonly uuid: string
  readonly user: string
  readonly amount: string
}

/** A deposit of the gateway, told by its own webhooks and its list. */
export type GatewayDeposit = SentWebhook

export interface AskedWithdrawal {
  readonly key: string
  readonly user: string
  /** No two withdrawals have the same. */
  readonly amount: string
  /** From each answer 201. */
  readonly ids: readonly string[]
  /** Answered for good without a withdrawal. */
  readonly refused: boolean
}

export interface SeenCall {
  readonly user: string
  readonly amount: string
}

export interface Payout {
  readonly uuid: string
  readonly user: string
  readonly amount: string
  readonly succeeded: boolean
}

export interface ToldEvent {
  readonly id: string
  readonly type: string
  /** `transaction_uuid`, or `withdrawal_id` while there is none; null for other events. */
  readonly about: string | null
  readonly withdrawalId: string | null
  readonly status: string | null
}

export interface Stream {
  readonly user: string
  readonly events: readonly ToldEvent[]
  /** What the history showed after a `reset`, as `ToldEvent.about`. */
  readonly shown: readonly string[]
}

export type Feed = readonly {
  readonly number: number
  readonly user: string | null
  readonly about: string
  readonly status: string
}[]

export interface Books {
  readonly withdrawals: readonly {
    readonly id: string
    readonly user: string
    readonly amount: string
    readonly status: string
    readonly transactionUuid: string | null
  }[]
  /** `available` and `held` together. */
  readonly balances: ReadonlyMap<string, string>
  readonly entries: readonly {
    readonly user: string
    readonly reason: string
    readonly account: string
    readonly amount: string
    readonly transactionUuid: string | null
    readonly withdrawalId: string | null
  }[]
  /** Read after the streams were: what a stream has told must be there. */
  readonly feed: Feed
  /** Payouts that are reported to a person because no withdrawal has them. */
  readonly openPayouts: readonly string[]
  /** How often a standby was promoted. */
  readonly promotions: number
  readonly ledgerFaults: readonly string[]
}

export interface Observations {
  /** What still went on when the books were read; then other clauses may find what is none. */
  readonly unrest: readonly string[]
  readonly webhooks: readonly SentWebhook[]
  readonly deposits: readonly GatewayDeposit[]
  readonly withdrawals: readonly AskedWithdrawal[]
  readonly calls: readonly SeenCall[]
  readonly payouts: readonly Payout[]
  readonly streams: readonly Stream[]
  readonly books: Books
}

const DIGITS = 6

/** Millionths. @throws for a text that is no plain decimal of at most six digits after the point */
export function millionths(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const digits = fraction.replace(/0+$/, '')
  if (whole === '' || digits.length > DIGITS) throw new Error(`not an amount: ${text}`)
  return BigInt(`${sign}${whole}${digits.padEnd(DIGITS, '0')}`)
}

const sumOf = (amounts: readonly string[]): bigint => amounts.reduce((sum, amount) => sum + millionths(amount), 0n)
const keyOf = ({ user, amount }: { readonly user: string; readonly amount: string }): string =>
  `${user} ${millionths(amount)}`

/** What a stream should have told, or should not have. */
export function untold({ user, events, shown }: Stream, { feed }: Books): readonly string[] {
  const wordsOf = ({ about, status }: Pick<ToldEvent, 'about' | 'status'>): string => `${about ?? ''} ${status ?? ''}`
  const due = feed.filter((event) => event.user === user)
  const [heard, written, seen] = [new Set(events.map(wordsOf)), new Set(due.map(wordsOf)), new Set(shown)]
  // Before a reset a stream may tell of a commit that nobody acknowledged and that the failover lost.
  const kept = events.slice(events.findLastIndex(({ type }) => type === 'reset') + 1)
  return [
    ...due
      .filter((event) => !heard.has(wordsOf(event)) && !seen.has(event.about))
      .map((event) => `${user} never heard ${wordsOf(event)}`),
    ...kept
      .filter((event) => event.about !== null && !written.has(wordsOf(event)))
      .map((event) => `${user} heard ${wordsOf(event)}, not in the feed`),
  ]
}

/** After a promotion the feed leaves out so many numbers. */
const LEFT_OUT = 1_000_000

/** The numbers that do not follow the number before them. */
function gapsOf({ feed, promotions }: Books): readonly number[] {
  const steps = feed.map(({ number }, at) => ({ number, missing: number - (feed[at - 1]?.number ?? 0) - 1 }))
  const leftOut = steps.reduce((sum, { missing }) => sum + missing, 0) / LEFT_OUT
  return steps
    .filter(({ missing }) => missing !== 0 && (missing < 0 || missing % LEFT_OUT !== 0 || leftOut > promotions))
    .map(({ number }) => number)
}

function repeated<T>(items: readonly T[], nameOf: (item: T) => string): readonly string[] {
  return [...Map.groupBy(items, nameOf)].filter(([, same]) => same.length > 1).map(([name]) => name)
}

/** What each clause found; a clause that holds finds nothing. */
export const CLAUSES = {
  'all is at rest': ({ unrest }) => unrest,
  'an acknowledged webhook is in the feed': ({ webhooks, books }) => {
    const told = new Set(books.feed.filter(({ status }) => status === 'succeeded').map(({ about }) => about))
    return webhooks.filter(({ uuid }) => !told.has(uuid)).map(({ uuid, user }) => `${uuid} of ${user}`)
  },
  'an acknowledged withdrawal is known, under one id': ({ withdrawals, books }) => {
    const known = new Map(books.withdrawals.map((one) => [one.id, one]))
    return withdrawals.flatMap(({ key, user, amount, ids }) => [
      ...(new Set(ids).size > 1 ? [`${key} has the ids ${[...new Set(ids)].join(', ')}`] : []),
      ...ids
        .filter((id) => {
          const stored = known.get(id)
          return stored === undefined || keyOf(stored) !== keyOf({ user, amount })
        })
        .map((id) => `${id} of ${user}`),
    ])
  },
  'a withdrawal is stored once': ({ books }) => repeated(books.withdrawals, keyOf),
  'a withdrawal calls the gateway at most once': ({ calls }) => repeated(calls, keyOf),
  'a refused withdrawal calls nobody': ({ withdrawals, calls }) => {
    const called = new Set(calls.map(keyOf))
    return withdrawals.filter((one) => one.refused && called.has(keyOf(one))).map(({ key }) => key)
  },
  'a payout belongs to one withdrawal of its amount': ({ payouts, books }) => {
    const owners = Map.groupBy(books.withdrawals, ({ transactionUuid }) => transactionUuid ?? '')
    return payouts
      .filter((payout) => {
        const own = owners.get(payout.uuid) ?? []
        return own.length !== 1 || own.some((one) => keyOf(one) !== keyOf(payout))
      })
      .map(({ uuid, user, amount }) => `${uuid} of ${user}, ${amount}`)
  },
  'a withdrawal succeeded exactly if its payout did': ({ payouts, books }) => {
    const paid = new Set(payouts.filter(({ succeeded }) => succeeded).map(({ uuid }) => uuid))
    return books.withdrawals
      .filter(({ status, transactionUuid }) => (status === 'succeeded') !== paid.has(transactionUuid ?? ''))
      .map(({ id, status }) => `${id} is ${status}`)
  },
  'a withdrawal has ended': ({ books }) =>
    books.withdrawals
      .filter(({ status }) => status !== 'succeeded' && status !== 'failed')
      .map(({ id, status }) => `${id} is ${status}`),
  'a deposit is booked once': ({ webhooks, deposits, books }) => {
    const booked = Map.groupBy(
      books.entries.filter(({ reason, account }) => reason === 'deposit' && account === 'available'),
      ({ transactionUuid }) => transactionUuid ?? '',
    )
    const made = [...webhooks, ...deposits]
    const known = new Set(made.map(({ uuid }) => uuid))
    return [
      ...made
        .filter(({ uuid, amount }) => {
          const entries = booked.get(uuid) ?? []
          return entries.length !== 1 || entries.some((one) => millionths(one.amount) !== millionths(amount))
        })
        .map(({ uuid, user }) => `${uuid} of ${user}: ${booked.get(uuid)?.length ?? 0} entries`),
      ...[...booked.keys()].filter((uuid) => !known.has(uuid)).map((uuid) => `${uuid} was never sent`),
    ]
  },
  'a balance is what came in less what was paid': ({ webhooks, deposits, payouts, books }) =>
    [...books.balances].flatMap(([user, balance]) => {
      const amountsOf = (items: readonly { readonly user: string; readonly amount: string }[]): readonly string[] =>
        items.filter((item) => item.user === user).map(({ amount }) => amount)
      const paid = sumOf(amountsOf(payouts.filter(({ succeeded }) => succeeded)))
      const due = sumOf(amountsOf(webhooks)) + sumOf(amountsOf(deposits)) - paid
      return due === millionths(balance) ? [] : [`${user} has ${millionths(balance)} millionths, due are ${due}`]
    }),
  'the ledger is consistent': ({ books }) => books.ledgerFaults,
  'the feed has no gap and nothing twice': ({ books }) => [
    ...gapsOf(books)
      .map((number) => `number ${number}`)
      .slice(0, 1),
    ...repeated(books.feed, ({ about, status }) => `${about} ${status}`),
  ],
  'a stream has no gap': ({ streams, books: { promotions } }) =>
    streams.flatMap(({ user, events }) => {
      const resets = events.filter(({ type }) => type === 'reset').length
      // After a promotion the numbers go on at a multiple of 1000.
      const follows = ({ id }: ToldEvent, at: number): boolean =>
        Number(id) === Number(events[at - 1]?.id ?? 0) + 1 || (promotions > 0 && Number(id) % 1000 === 1)
      const wrong = events.findIndex((event, at) => event.type !== 'reset' && !follows(event, at))
      return [
        ...(resets > promotions ? [`${user}: ${resets} resets after ${promotions} promotions`] : []),
        ...(wrong < 0
          ? []
          : [`${user}: ${events[wrong]?.type ?? ''} ${events[wrong]?.id ?? ''} in place ${wrong + 1}`]),
      ]
    }),
  'a stream tells what the feed tells': ({ streams, books }) => streams.flatMap((stream) => untold(stream, books)),
} as const satisfies Readonly<Record<string, (seen: Observations) => readonly string[]>>

/** After a failover that lost commits: nothing is sent twice, and each payout is known or reported. */
export const ASYNCHRONOUS_CLAUSES: Readonly<Record<string, (seen: Observations) => readonly string[]>> = {
  'a withdrawal calls the gateway at most once': CLAUSES['a withdrawal calls the gateway at most once'],
  'a payout belongs to a withdrawal or is reported': ({ payouts, books }) => {
    const known = new Set([...books.openPayouts, ...books.withdrawals.map(({ transactionUuid }) => transactionUuid)])
    return payouts.filter(({ uuid }) => !known.has(uuid)).map(({ uuid, user }) => `${uuid} of ${user}`)
  },
  'a deposit is booked once': CLAUSES['a deposit is booked once'],
  'the ledger is consistent': CLAUSES['the ledger is consistent'],
}

/** One line for each fault: the clause and what it found. */
export const judge = (
  seen: Observations,
  clauses: Readonly<Record<string, (seen: Observations) => readonly string[]>> = CLAUSES,
): readonly string[] =>
  Object.entries(clauses).flatMap(([clause, find]) => find(seen).map((found) => `${clause}: ${found}`))
