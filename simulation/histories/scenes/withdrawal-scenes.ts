/** Scenes of one withdrawal, of two, and of payouts that nobody asked for. */
import type { Departure, HistoryScene, Message, WithdrawalPlan } from '../story.ts'
import { accepted, named, refused, transferWebhook, type ListStatus, type Reply, type Transfer } from '../wire.ts'
import { calm, ELSEWHERE, event, hash, listing, NOTHING, scene, type Part } from './scene-parts.ts'

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

export const one: WithdrawalPlan = { id: 'w1', amount: '40.123456789012345678', to: ADDRESS }
const twin: WithdrawalPlan = { ...one, id: 'w2' }
const other: WithdrawalPlan = { id: 'w2', amount: '7.000000000000000001', to: ELSEWHERE }

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
export function withdrawal(plan: WithdrawalPlan, reply: Reply, ...payouts: readonly PayoutStory[]): Part {
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
export const stray = (story: PayoutStory): Part => ({
  ...NOTHING,
  messages: payoutMessages(one, story, { after: [] }),
  departures: [departureOf(story, null)],
})

export const paid: PayoutStory = { uuid: P1, listed: ['processing', 'succeeded'] }
/** Payouts of which few messages tell, for scenes with more of them. */
export const brief: PayoutStory = { uuid: P1, listed: ['succeeded'], webhooks: ['succeeded'] }
const listedAlone: PayoutStory = { uuid: P2, listed: ['succeeded'], webhooks: [] }
const failed: PayoutStory = { uuid: P1, listed: ['processing', 'failed'] }
export const ok = accepted(one.amount, one.to)
const otherOk = accepted(other.amount, other.to)
export const cut: Reply = { kind: 'cut' }
const errorReply = refused({ transaction_uuid: P1, status: 'failed' })

/** One withdrawal, and what its reply and its payout say. */
export const WITHDRAWALS: readonly HistoryScene[] = [
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
export const PAIRS: readonly HistoryScene[] = [
  scene('two alike, both paid', withdrawal(one, ok, brief), withdrawal(twin, ok, listedAlone)),
  scene('two alike, the first cut and paid', withdrawal(one, cut, brief), withdrawal(twin, ok, listedAlone)),
  scene('two alike, the first cut and never made', withdrawal(one, cut), withdrawal(twin, ok, listedAlone)),
  scene('two alike, one refused', withdrawal(one, refused()), withdrawal(twin, ok, listedAlone)),
  scene(
    'two alike, one failed',
    withdrawal(one, ok, { ...failed, listed: ['failed'] }),
    withdrawal(twin, ok, listedAlone),
  ),
  calm('two, both paid', withdrawal(one, ok, brief), withdrawal(other, otherOk, listedAlone)),
  calm('two, the first cut and never made', withdrawal(one, cut), withdrawal(other, otherOk, listedAlone)),
  calm('two, both cut, one paid', withdrawal(one, cut), withdrawal(other, cut, { ...brief, uuid: P2 })),
  scene(
    "the second reply names the first's payout",
    withdrawal(one, ok, brief),
    withdrawal(other, accepted(other.amount, other.to, { transaction_uuid: P1 })),
  ),
]
