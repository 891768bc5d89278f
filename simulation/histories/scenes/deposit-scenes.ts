/** Scenes of deposits. */
import type { HistoryScene, Message } from '../story.ts'
import {
  listRecord,
  named,
  OTHER_MERCHANT,
  OTHER_USER,
  START_MS,
  transferWebhook,
  withValue,
  type JsonObject,
  type ListStatus,
  type Transfer,
} from '../wire.ts'
import { calm, ELSEWHERE, event, hash, HASH, listing, NOTHING, scene, type Part } from './scene-parts.ts'
import { paid, stray } from './withdrawal-scenes.ts'

export interface DepositStory {
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

export function depositMessages({ uuid, listed, amount = DEPOSITED, ...story }: DepositStory): readonly Message[] {
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

export const deposit = (story: DepositStory): Part => ({
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

export const D1 = named('d1')
export const D2 = named('d2')

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

export const DEPOSITS: readonly HistoryScene[] = [
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
