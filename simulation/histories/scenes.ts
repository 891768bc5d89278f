/** The scenes: what happens at the gateway, and which messages tell of it. */
import type { Arrival, Departure, Message, HistoryScene, SessionPlan, WithdrawalPlan } from './story.ts'
import {
  accepted,
  listRecord,
  MERCHANT,
  named,
  OTHER_MERCHANT,
  OTHER_USER,
  purchaseWebhook,
  refused,
  START_MS,
  transferWebhook,
  withValue,
  digits,
  type JsonObject,
  type ListStatus,
  type WirePurchase,
  type Reply,
  type Transfer,
} from './wire.ts'

const HASH = '0xAbCdef0123456789AbCdef0123456789AbCdef0123456789AbCdef0123456789'
const hash = (end: string): string => `${HASH.slice(0, -2)}${end.padStart(2, '0')}`

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const ELSEWHERE = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

const one: WithdrawalPlan = { id: 'w1', amount: '40.123456789012345678', to: ADDRESS }
const twin: WithdrawalPlan = { ...one, id: 'w2' }
const other: WithdrawalPlan = { id: 'w2', amount: '7.000000000000000001', to: ELSEWHERE }

type Part = Pick<HistoryScene, 'messages' | 'sessions' | 'arrivals' | 'departures' | 'vanished'>
const NOTHING: Part = { messages: [], sessions: [], arrivals: [], departures: [], vanished: [] }

const scene = (name: string, ...parts: readonly Part[]): HistoryScene => ({
  name,
  calm: false,
  telling: [],
  funds: '100',
  alike: null,
  messages: parts.flatMap(({ messages }) => messages),
  sessions: parts.flatMap(({ sessions }) => sessions),
  arrivals: parts.flatMap(({ arrivals }) => arrivals),
  departures: parts.flatMap(({ departures }) => departures),
  vanished: parts.flatMap(({ vanished }) => vanished),
})

const calm = (name: string, ...parts: readonly Part[]): HistoryScene => ({ ...scene(name, ...parts), calm: true })

/** A transaction in the list from state to state. */
function listing(transfer: Transfer, states: readonly ListStatus[], first: Pick<Message, 'after' | 'ifSent'>) {
  return states.map((status, index): Message => ({
    ...first,
    name: `list ${transfer.uuid.slice(-4)} ${status}${states.indexOf(status) === index ? '' : ' again'}`,
    what: { kind: 'listed', record: listRecord(transfer, status) },
    after: index === 0 ? first.after : [`list ${transfer.uuid.slice(-4)} ${states[index - 1] ?? ''}`],
    entry: transfer.uuid,
  }))
}

const event = (name: string, body: JsonObject, more: Partial<Message> = {}): Message => ({
  name,
  what: { kind: 'webhook', body },
  after: [],
  ...more,
})

interface PayoutStory {
  readonly uuid: string
  /** The states that the list shows, the last for good; none if the gateway never made the payout. */
  readonly listed: readonly ListStatus[]
  readonly webhooks?: readonly ('processing' | 'succeeded')[]
  /** What the user asked for, or what the gateway paid by itself. */
  readonly amount?: string
  readonly vanishes?: boolean
}

/** A request, the reply to its call, and the payouts that the gateway makes of it. */
function withdrawal(plan: WithdrawalPlan, reply: Reply, ...payouts: readonly PayoutStory[]): Part {
  const request = `request ${plan.id}`
  const sent = { after: [request], ifSent: plan.id }
  return {
    ...NOTHING,
    messages: [
      { name: request, what: { kind: 'request', withdrawal: plan }, after: [] },
      {
        ...sent,
        name: `reply ${plan.id}`,
        what: { kind: 'reply', withdrawal: plan.id, reply, clockOffsetMs: 0 },
      },
      ...payouts.flatMap((story) => payoutMessages(plan, story, sent)),
    ],
    departures: payouts.map((story) => departureOf(story, plan.id)),
    vanished: payouts.flatMap(({ uuid, vanishes }) => (vanishes === true ? [uuid] : [])),
  }
}

const departureOf = ({ uuid, listed, webhooks = [] }: PayoutStory, ifSent: string | null): Departure => ({
  uuids: [uuid],
  left: listed.length === 0 ? webhooks.includes('succeeded') : listed.at(-1) === 'succeeded',
  ifSent,
})

function payoutMessages(
  { amount, to }: WithdrawalPlan,
  { uuid, listed, webhooks = listed.includes('succeeded') ? ['succeeded'] : [], amount: paid = amount }: PayoutStory,
  first: Pick<Message, 'after' | 'ifSent'>,
): readonly Message[] {
  const transfer: Transfer = { kind: 'payout', uuid, amount: paid, to, hash: hash(uuid.slice(-2)) }
  return [
    ...listing(transfer, listed, first),
    ...webhooks.map((status) => event(`event ${uuid.slice(-4)} ${status}`, transferWebhook(transfer, status), first)),
  ]
}

const P1 = named('a1')
const P2 = named('a2')

/** A payout that no request of ours asked for. */
const stray = (story: PayoutStory): Part => ({
  ...NOTHING,
  messages: payoutMessages(one, story, { after: [] }),
  departures: [departureOf(story, null)],
})

interface DepositStory {
  readonly uuid: string
  readonly listed: readonly ListStatus[]
  readonly webhooks?: readonly ('processing' | 'succeeded')[]
  readonly amount?: string
  readonly hash?: string
  readonly key?: string
  readonly vanishes?: boolean
  /** The message that alone tells the amount. */
  readonly toldBy?: string
}

const DEPOSITED = '10.300000000000000007'

function depositMessages({ uuid, listed, amount = DEPOSITED, ...story }: DepositStory): readonly Message[] {
  const transfer: Transfer = {
    kind: 'deposit',
    uuid,
    amount,
    to: ELSEWHERE,
    hash: story.hash ?? hash(uuid.slice(-2)),
    ...(story.key !== undefined && { key: story.key }),
  }
  const { webhooks = listed.includes('succeeded') ? ['processing', 'succeeded'] : ['processing'] } = story
  return [
    ...listing(transfer, listed, { after: [] }),
    ...webhooks.map((status) => event(`event ${uuid.slice(-4)} ${status}`, transferWebhook(transfer, status))),
  ]
}

const deposit = (story: DepositStory): Part => ({
  ...NOTHING,
  messages: depositMessages(story),
  arrivals: [
    {
      uuids: [story.uuid],
      amount: story.listed.at(-1) === 'succeeded' ? (story.amount ?? DEPOSITED) : '0',
      ...(story.toldBy !== undefined && { toldBy: story.toldBy }),
    },
  ],
  vanished: story.vanishes === true ? [story.uuid] : [],
})

const D1 = named('d1')
const D2 = named('d2')

const SESSION = { id: 'session-1', key: `${MERCHANT}:session-1`, fiat: '10' } as const satisfies SessionPlan
const SESSION_2 = { id: 'session-2', key: `${MERCHANT}:session-2`, fiat: '14' } as const satisfies SessionPlan
const O1 = named('c1')
const O2 = named('c2')
const BOUGHT = '5.250000000000000003'

const PURCHASE: WirePurchase = {
  uuid: O1,
  amount: BOUGHT,
  fiat: SESSION.fiat,
  hash: hash('c1'),
  key: SESSION.key,
  session: SESSION.id,
}

type PurchaseStatus = 'pending' | 'processing' | 'succeeded' | 'failed'

const purchaseEvents = (bought: WirePurchase, states: readonly PurchaseStatus[]): readonly Message[] =>
  states.map((status) => event(`event ${bought.uuid.slice(-4)} ${status}`, purchaseWebhook(bought, status)))

/** A purchase by our session, and the deposit that the list has of it. */
function purchase(states: readonly PurchaseStatus[], became: DepositStory | null, more: Partial<Arrival> = {}): Part {
  const arrived = became === null ? states.includes('succeeded') : became.listed.at(-1) === 'succeeded'
  return {
    ...NOTHING,
    sessions: [SESSION],
    messages: [...purchaseEvents(PURCHASE, states), ...(became === null ? [] : depositMessages(became))],
    arrivals: [
      {
        uuids: [O1, ...(became === null ? [] : [became.uuid])],
        amount: arrived ? (became?.amount ?? BOUGHT) : '0',
        ...(became === null && { toldBy: `event ${O1.slice(-4)} succeeded` }),
        ...(became?.webhooks?.length === 0 && { toldBy: `list ${became.uuid.slice(-4)} succeeded` }),
        ...more,
      },
    ],
  }
}

const BECAME: DepositStory = {
  uuid: D1,
  listed: ['processing', 'succeeded'],
  webhooks: ['succeeded'],
  amount: BOUGHT,
  hash: PURCHASE.hash,
  key: PURCHASE.key,
}

const BRIEFLY: DepositStory = { ...BECAME, listed: ['succeeded'], webhooks: [] }

const paid: PayoutStory = { uuid: P1, listed: ['processing', 'succeeded'] }
/** Payouts of which few messages tell, for scenes with more of them. */
const brief: PayoutStory = { uuid: P1, listed: ['succeeded'], webhooks: ['succeeded'] }
const listedAlone: PayoutStory = { uuid: P2, listed: ['succeeded'], webhooks: [] }
const failed: PayoutStory = { uuid: P1, listed: ['processing', 'failed'] }
const ok = accepted(one.amount, one.to)
const cut: Reply = { kind: 'cut' }
const errorReply = refused({ transaction_uuid: P1, status: 'failed' })

/** One withdrawal, and what its reply and its payout say. */
const WITHDRAWALS: readonly HistoryScene[] = [
  calm('accepted, paid', withdrawal(one, ok, { ...paid, webhooks: ['processing', 'succeeded'] })),
  calm('accepted by its uuid, paid', withdrawal(one, accepted(one.amount, one.to, { transaction_uuid: P1 }), paid)),
  calm('accepted for approval, paid', withdrawal(one, accepted(one.amount, one.to, { requires_approval: true }), paid)),
  calm('accepted, failed', withdrawal(one, ok, failed)),
  scene('accepted, never listed', withdrawal(one, ok)),
  scene('accepted, new for ever', withdrawal(one, ok, { uuid: P1, listed: ['processing'] })),
  scene(
    'accepted, paid, only an event says so',
    withdrawal(one, ok, { uuid: P1, listed: [], webhooks: ['succeeded'] }),
  ),
  calm('refused', withdrawal(one, refused())),
  scene('refused, paid', withdrawal(one, refused(), paid)),
  calm('unreachable', withdrawal(one, { kind: 'unreachable' })),
  calm('cut, paid', withdrawal(one, cut, { ...paid, webhooks: ['processing', 'succeeded'] })),
  calm('cut, paid, only the list says so', withdrawal(one, cut, listedAlone)),
  calm('cut, never made', withdrawal(one, cut)),
  calm('cut, failed', withdrawal(one, cut, failed)),
  scene('cut, new for ever', withdrawal(one, cut, { uuid: P1, listed: ['processing'] })),
  calm('died, paid', withdrawal(one, { kind: 'died' }, paid)),
  calm('died, never made', withdrawal(one, { kind: 'died' })),
  scene('an error names the payout, failed', withdrawal(one, errorReply, failed)),
  scene('an error names the payout, never made', withdrawal(one, errorReply)),
  scene('an error names the payout, paid', withdrawal(one, errorReply, paid)),
  calm('an error names the payout without a word, paid', withdrawal(one, refused({ transaction_uuid: P1 }), paid)),
  scene('an error names the payout without a word, never made', withdrawal(one, refused({ transaction_uuid: P1 }))),
  scene('accepted, failed, paid by a second payout', withdrawal(one, ok, failed, { ...brief, uuid: P2 })),
  scene('accepted, paid twice', withdrawal(one, ok, brief, listedAlone)),
  scene('cut, paid twice', withdrawal(one, cut, brief, listedAlone)),
  scene(
    'accepted, failed, then succeeded',
    withdrawal(one, ok, { uuid: P1, listed: ['processing', 'failed', 'succeeded'], webhooks: ['succeeded'] }),
  ),
  scene(
    'accepted, succeeded, then failed',
    withdrawal(one, ok, { uuid: P1, listed: ['processing', 'succeeded', 'failed'], webhooks: ['succeeded'] }),
  ),
  scene('accepted, the record vanishes', withdrawal(one, ok, { uuid: P1, listed: ['processing'], vanishes: true })),
  scene('cut, the record vanishes', withdrawal(one, cut, { uuid: P1, listed: ['processing'], vanishes: true })),
  {
    ...scene('cut, paid, while another user waits for the like', withdrawal(one, cut, brief)),
    alike: { ...one, id: 'o1' },
  },
  scene('a payout without a request', stray(paid)),
  scene('cut, never made, and a payout without a request', withdrawal(one, cut), stray({ ...paid, amount: '3.5' })),
]

/** Two withdrawals. */
const PAIRS: readonly HistoryScene[] = [
  scene('two alike, both paid', withdrawal(one, ok, brief), withdrawal(twin, ok, listedAlone)),
  scene('two alike, the first cut and paid', withdrawal(one, cut, brief), withdrawal(twin, ok, listedAlone)),
  scene('two alike, the first cut and never made', withdrawal(one, cut), withdrawal(twin, ok, listedAlone)),
  scene('two alike, one refused', withdrawal(one, refused()), withdrawal(twin, ok, listedAlone)),
  scene(
    'two alike, one failed',
    withdrawal(one, ok, { ...failed, listed: ['failed'] }),
    withdrawal(twin, ok, listedAlone),
  ),
  calm('two, both paid', withdrawal(one, ok, brief), withdrawal(other, ok, listedAlone)),
  calm('two, the first cut and never made', withdrawal(one, cut), withdrawal(other, ok, listedAlone)),
  calm('two, both cut, one paid', withdrawal(one, cut), withdrawal(other, cut, { ...brief, uuid: P2 })),
  scene(
    "the second reply names the first's payout",
    withdrawal(one, ok, brief),
    withdrawal(other, accepted(other.amount, other.to, { transaction_uuid: P1 })),
  ),
]

const TEN_DAYS_AGO = new Date(START_MS - 10 * 86_400_000).toISOString()

/** What the gateway did before this cashier: it belongs to nobody, and nobody is asked. */
const long = ({ messages, arrivals, ...part }: Part): Part => ({
  ...part,
  departures: [],
  arrivals: arrivals.map((arrival) => ({ ...arrival, amount: '0' })),
  messages: messages.map(({ what, ...message }) => ({
    ...message,
    what:
      what.kind === 'listed'
        ? { ...what, record: withValue(what.record, ['inserted_at'], TEN_DAYS_AGO) as JsonObject }
        : what.kind === 'webhook'
          ? { ...what, body: withValue(what.body, ['transaction', 'date'], TEN_DAYS_AGO) as JsonObject }
          : what,
  })),
})

const DEPOSITS: readonly HistoryScene[] = [
  calm('deposit', deposit({ uuid: D1, listed: ['processing', 'succeeded'] })),
  calm(
    'deposit of which only the list tells',
    deposit({ uuid: D1, listed: ['succeeded'], webhooks: [], toldBy: `list ${D1.slice(-4)} succeeded` }),
  ),
  calm('deposit failed', deposit({ uuid: D1, listed: ['processing', 'failed'] })),
  scene('deposit new for ever', deposit({ uuid: D1, listed: ['processing'] })),
  scene('deposit failed, then succeeded', deposit({ uuid: D1, listed: ['processing', 'failed', 'succeeded'] })),
  scene('deposit succeeded, then failed', deposit({ uuid: D1, listed: ['processing', 'succeeded', 'failed'] })),
  {
    ...scene('deposit credited, the record vanishes', deposit({ uuid: D1, listed: ['succeeded'], vanishes: true })),
    arrivals: [{ uuids: [D1], amount: '0' }],
  },
  calm(
    'two deposits with one hash',
    deposit({ uuid: D1, listed: ['succeeded'], webhooks: ['succeeded'], hash: HASH }),
    deposit({ uuid: D2, listed: ['succeeded'], webhooks: ['succeeded'], hash: HASH, amount: '2' }),
  ),
  scene("another user's record", deposit({ uuid: D1, listed: ['succeeded'], webhooks: ['succeeded'] }), {
    ...NOTHING,
    messages: [
      {
        name: 'list a record of another user',
        after: [],
        entry: D2,
        what: {
          kind: 'listed',
          record: withValue(
            listRecord({ kind: 'deposit', uuid: D2, amount: '9', to: ELSEWHERE, hash: hash('d2') }, 'succeeded'),
            ['user_ref_id'],
            OTHER_USER,
          ) as JsonObject,
        },
      },
    ],
  }),
  calm('a deposit and a payout of ten days ago', long(deposit({ uuid: D1, listed: ['succeeded'] })), long(stray(paid))),
  scene('an event of another merchant', {
    ...NOTHING,
    messages: [
      event(
        'event of another merchant',
        withValue(
          transferWebhook({ kind: 'deposit', uuid: D2, amount: '9', to: ELSEWHERE, hash: hash('d2') }, 'succeeded'),
          ['merchant_reference'],
          OTHER_MERCHANT,
        ) as JsonObject,
      ),
    ],
  }),
]

const STATES = ['pending', 'processing', 'succeeded'] as const
const foreign = (
  name: string,
  bought: Partial<WirePurchase>,
  states: readonly PurchaseStatus[] = ['succeeded'],
): Part => ({
  ...NOTHING,
  messages: purchaseEvents(
    { ...PURCHASE, uuid: O2, amount: '1000000', fiat: '1000000', hash: hash('c2'), ...bought },
    states,
  ).map((message) => ({ ...message, name: `${name}: ${message.name}` })),
})

/** A purchase by our session with one value that cannot be. */
const oddPurchase = (name: string, path: readonly string[], value: string): Part => ({
  ...NOTHING,
  sessions: [SESSION],
  messages: [event(name, withValue(purchaseWebhook(PURCHASE, 'succeeded'), path, value) as JsonObject)],
})

const PURCHASES: readonly HistoryScene[] = [
  calm('purchase with its deposit', purchase(STATES, BECAME)),
  scene('purchase, its deposit is not listed', purchase(STATES, null)),
  calm('purchase failed', purchase(['pending', 'processing', 'failed'], null)),
  scene('purchase paid and not delivered', purchase(['pending', 'processing'], null)),
  scene(
    'purchase whose deposit failed',
    purchase(STATES, { ...BECAME, listed: ['processing', 'failed'], webhooks: [] }),
  ),
  calm(
    'purchase and a deposit',
    purchase(['succeeded'], { ...BECAME, listed: ['succeeded'] }),
    deposit({ uuid: D2, listed: ['succeeded'], webhooks: ['succeeded'] }),
  ),
  scene(
    "purchase and another merchant's with our reference",
    purchase(['pending', 'succeeded'], BRIEFLY),
    foreign('foreign', { key: `${OTHER_MERCHANT}:session-9` }, ['processing', 'succeeded']),
  ),
  scene(
    "another merchant's purchase with our reference in their key",
    purchase(['pending'], null),
    foreign('foreign', { key: `${OTHER_MERCHANT}:${SESSION.id}` }, ['pending', 'succeeded']),
  ),
  {
    ...scene(
      "another merchant's purchase with our reference, whose own key was lost",
      foreign('foreign', { key: `${OTHER_MERCHANT}:${SESSION.id}`, amount: '5', fiat: SESSION.fiat }, STATES),
      { ...NOTHING, sessions: [{ ...SESSION, key: null }, SESSION_2] },
    ),
    telling: ['key'],
  },
  {
    ...scene("another merchant's purchase with our key", purchase(['pending'], null), foreign('foreign', {})),
    telling: ['fiat amount', 'fiat currency'],
  },
  scene(
    'a second purchase of one session',
    // Nobody can tell which of the two is the purchase.
    purchase(['processing', 'succeeded'], BRIEFLY, { uuids: [O1, D1, O2] }),
    foreign('second', { amount: '5', fiat: SESSION.fiat }),
  ),
  scene('two purchases with one hash, and the deposit of one', purchase(['succeeded'], BRIEFLY), {
    ...NOTHING,
    sessions: [SESSION_2],
    messages: purchaseEvents(
      { ...PURCHASE, uuid: O2, amount: '7', fiat: SESSION_2.fiat, key: SESSION_2.key, session: SESSION_2.id },
      ['succeeded'],
    ),
    arrivals: [{ uuids: [O2], amount: '7', toldBy: `event ${O2.slice(-4)} succeeded` }],
  }),
  {
    ...scene(
      'a purchase in another fiat currency',
      oddPurchase('event in yen', ['transaction', 'from_currency'], 'JPY'),
    ),
    telling: ['fiat amount', 'fiat currency'],
  },
  {
    ...scene(
      'a purchase of far more',
      oddPurchase('event of a hundredfold', ['transaction', 'from_amount'], digits('1000')),
    ),
    telling: ['fiat amount', 'fiat currency'],
  },
]

const MIXED: readonly HistoryScene[] = [
  calm(
    'deposit and withdrawal',
    deposit({ uuid: D1, listed: ['succeeded'], webhooks: ['succeeded'] }),
    withdrawal(one, cut, brief),
  ),
  {
    ...scene(
      'a withdrawal of what a deposit brings',
      deposit({ uuid: D1, listed: ['succeeded'], webhooks: ['succeeded'] }),
      withdrawal(one, ok, brief),
    ),
    funds: '30',
  },
]

export const SCENES: readonly HistoryScene[] = [...WITHDRAWALS, ...PAIRS, ...DEPOSITS, ...PURCHASES, ...MIXED]
